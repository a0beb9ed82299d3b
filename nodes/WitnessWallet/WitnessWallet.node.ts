import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/protocols/credentialTests';
import { nodeCredentials } from '../core/protocols/nodeCredentials';
import { nodeClient } from '../core/protocols/nodeClient';
import { nodeProperties, subtitle } from '../core/operation/panel/properties';
import { restClient } from '../core/protocols/rest';
import { run } from '../core/run';
import { broadcast } from './broadcast';
import { create } from './create';
import { list } from './list';
import { vote } from './vote';
import { witnesses } from './witnesses';

const menu = { witness: { name: 'Witness', operations: { vote, create, list, broadcast } } };

export class WitnessWallet implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Witness Wallet',
		name: 'witnessWallet',
		icon: {
			light: 'file:../../icons/witnessWallet.svg',
			dark: 'file:../../icons/witnessWallet.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(menu),
		description:
			'Build votes and witness registrations on a TRON-type chain, list witnesses, broadcast signed transactions',
		defaults: { name: 'Chain Witness Wallet' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: nodeProperties(menu),
	};

	methods = { credentialTest: nodeCredentialTests, listSearch: { witnesses } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, menu, nodeClient(restClient));
	}
}
