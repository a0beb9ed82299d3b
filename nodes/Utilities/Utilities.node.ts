import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { functionEditor } from '../fields/functionEditor';
import { buildProperties, buildSubtitle } from '../core/operation/panel';
import { noClient } from '../core/protocols/pure';
import { run } from '../core/run';
import { address } from './address';
import { amount } from './amount';
import { dataOfContract as data } from './data';
import { hash } from './hash';

const resources = { address, amount, data, hash };

export class Utilities implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Utilities',
		name: 'utilities',
		icon: {
			light: 'file:../../icons/utilities.svg',
			dark: 'file:../../icons/utilities.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Convert amounts and addresses, encode and decode data of contracts, compute hashes',
		defaults: { name: 'Chain Utilities' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: buildProperties(resources),
	};

	methods = functionEditor;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, noClient);
	}
}
