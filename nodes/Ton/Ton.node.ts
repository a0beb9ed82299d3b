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
import { tonApi } from '../fields/tonApi';
import { tonLists } from '../fields/tonLists';
import { account } from './account';
import { contract } from './contract';
import { jetton } from './jetton';
import { name } from './name';
import { nft } from './nft';
import { transaction } from './transaction/transaction';

const resources = { account, api: tonApi, contract, jetton, name, nft, transaction };

export class Ton implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain TON',
		name: 'ton',
		icon: { light: 'file:../../icons/ton.svg', dark: 'file:../../icons/ton.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Pay in coins and jettons on a TON chain: prepare transfers, send signed ones, wait for them; read accounts, balances, payments, NFTs and names',
		defaults: { name: 'Chain TON' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'To pay, prefer Chain Pay. Otherwise: transaction:prepare → prepared:sign of Chain Signer → transaction:send → transaction:wait; defaults take the item before.',
			relatedNodes: signingNodes,
		},
		properties: buildNodeProperties(resources),
	};

	methods = { credentialTest: nodeCredentialTests, listSearch: tonLists };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRest));
	}
}
