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
import { payment } from './payment';

const resources = { address, amount, data, hash, payment };

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
			'Derive an address for each order, create payment links, convert amounts and addresses, encode and decode data of contracts, compute hashes',
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
