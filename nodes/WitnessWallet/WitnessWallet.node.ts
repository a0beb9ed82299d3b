import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { nodeClient, nodeCredentials } from '../core/nodeCredentials';
import { nodeProperties, subtitle } from '../core/operation/panel';
import { restClient } from '../core/rest/rest';
import { run } from '../core/run';
import { broadcast } from './broadcast';
import { create, vote } from './build';
import { list, witnesses } from './list';

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
