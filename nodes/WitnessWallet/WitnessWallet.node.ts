import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { connectNode, nodeCredentials } from '../core/nodeCredentials';
import { buildNodeProperties, buildSubtitle } from '../core/operation/panel';
import { connectRest } from '../core/protocols/rest';
import { run } from '../core/run';
import { signingNodes } from '../fields/relatedNodes';
import { functionEditor } from '../fields/functionEditor';
import { account } from './account';
import { api } from './api';
import { broadcast } from './broadcast';
import { contract } from './contract';
import { list, searchWitnesses } from './witnesses';
import { create } from './registration';
import { searchReceivers } from './receivers';
import { token } from './token';
import { transaction } from './transaction';
import { vote } from './vote';

const witness = { name: 'Witness', operations: { vote, create, list, broadcast } };

/**
 * The resource `witness` must stay first: workflows that were saved when it was the only resource use the first
 * entry.
 */
const resources = { witness, account, api, contract, token, transaction };

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
		subtitle: buildSubtitle(resources),
		description:
			'Pay, freeze, vote and call contracts on TRON: build transactions, broadcast signed ones, wait for them, read accounts',
		defaults: { name: 'Chain Witness Wallet' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'To pay, prefer Chain Pay. Otherwise: transaction:buildTransfer or another that builds → prepared:sign of Chain Signer → witness:broadcast → transaction:wait; defaults take the item before.',
			relatedNodes: signingNodes,
		},
		properties: buildNodeProperties(resources),
	};

	methods = {
		credentialTest: nodeCredentialTests,
		listSearch: { receivers: searchReceivers, witnesses: searchWitnesses },
		...functionEditor,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRest));
	}
}
