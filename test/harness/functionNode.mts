import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import type { Field } from '../../nodes/core/operation/field';
import type { Connect } from '../../nodes/core/operation/client';
import { buildNodeProperties } from '../../nodes/core/operation/panel';
import { connectNode, nodeCredentials } from '../../nodes/core/nodeCredentials';
import type { AnyOperation } from '../../nodes/core/operation/operation';
import { run } from '../../nodes/core/run';
import { runNode, type NodeRun } from './engine.mts';

/** The field of the node whose value is passed to the tested function. */
export const given = {
	displayName: 'Given',
	name: 'given',
	type: 'json',
	default: '{}',
	parse: (value: unknown) => JSON.parse(String(value)) as IDataObject,
} as const satisfies Field;

/**
 * Runs a function for a kind of chain in n8n's engine with the real HTTP client. The function needs no published
 * node.
 */
export async function runFunction<Request>(
	operation: AnyOperation<Request>,
	connect: (credentialType: string) => Connect<Request>,
	credentials: Readonly<Record<string, ICredentialDataDecryptedObject>>,
	items: readonly IDataObject[],
	more: Partial<NodeRun> = {},
) {
	const resources = { tested: { name: 'Tested', operations: { tested: operation } } };
	const node: INodeType = {
		description: {
			displayName: 'Tested',
			name: 'testedFunction',
			group: ['transform'],
			version: 1,
			description: 'A function of the core',
			defaults: { name: 'Tested' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: nodeCredentials,
			properties: buildNodeProperties(resources),
		} as INodeTypeDescription,
		async execute(this: IExecuteFunctions) {
			return await run(this, resources, connectNode(connect));
		},
	};
	return await runNode({
		node,
		parameters: { operation: 'tested', given: '={{ JSON.stringify($json) }}' },
		credentials,
		items: items.map((json) => ({ json })),
		...more,
	});
}
