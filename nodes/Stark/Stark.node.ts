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
import { run } from '../core/run';
import { connectRpc } from '../core/protocols/rpc/connect';
import { signingNodes } from '../fields/relatedNodes';
import { starkLists } from '../fields/starkLists';
import { account } from './account';
import { block } from './block';
import { contracts as contract } from './contract';
import { eventResource as event } from './event';
import { functionEditor } from './functionEditor';
import { rpcResource as rpc } from './rpcResource';
import { token } from './token';
import { transaction } from './transaction';

const resources = { account, block, contract, event, rpc, token, transaction };

export class Stark implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain STARK',
		name: 'stark',
		icon: { light: 'file:../../icons/stark.svg', dark: 'file:../../icons/stark.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Read accounts, tokens, contracts and events of Starknet or another STARK rollup; pay, call, and send transactions',
		defaults: { name: 'Chain STARK' },
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

	methods = { credentialTest: nodeCredentialTests, listSearch: starkLists, ...functionEditor };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRpc));
	}
}
