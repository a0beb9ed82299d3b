import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

/** Creates a node with the single parameter `value`, whose work is the code of a test. It runs in n8n's engine. */
export function createScratchNode(
	execute: (context: IExecuteFunctions) => INodeExecutionData[] | undefined,
): INodeType {
	return {
		description: {
			displayName: 'Scratch',
			name: 'scratch',
			group: ['transform'],
			version: 1,
			description: 'What a test wants to know',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [{ displayName: 'Value', name: 'value', type: 'json', default: '' }],
		},
		async execute(this: IExecuteFunctions) {
			return [execute(this) ?? []];
		},
	};
}
