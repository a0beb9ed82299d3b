import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { connectRpc } from '../core/protocols/rpc/connect';
import { basicAuthCredential, connectNode, tokenCredential } from '../core/nodeCredentials';
import { buildNodeProperties, buildSubtitle } from '../core/operation/panel';
import { run } from '../core/run';
import { signingNodes } from '../fields/relatedNodes';
import { account } from './account';
import { block } from './block';
import { chain } from './chain';
import { contract } from './contract/contract';
import { fee } from './fee';
import { functionEditor } from './functionEditor';
import { httpPayment } from './httpPayment';
import { log } from './log';
import { name } from './name';
import { nft } from './nft';
import { price } from './price';
import { rpcResource as rpc } from './rpcResource';
import { signature } from './signature';
import { token } from './token';
import { transaction } from './transaction/transaction';

const resources = {
	account,
	block,
	chain,
	contract,
	fee,
	httpPayment,
	log,
	name,
	nft,
	price,
	rpc,
	signature,
	token,
	transaction,
};

export class EvmRpc implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain EVM RPC',
		name: 'evmRpc',
		icon: { light: 'file:../../icons/evmRpc.svg', dark: 'file:../../icons/evmRpc.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Read and write an EVM chain: blocks, transactions, balances, tokens, NFTs, contracts',
		defaults: { name: 'Chain EVM RPC' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// This list repeats the constant `nodeCredentials`, because n8n's lint looks for `testedBy` in the file of a
		// node.
		credentials: [
			{ ...tokenCredential, name: 'chainNodeTokenApi', testedBy: 'nodeToken' },
			{ ...basicAuthCredential, name: 'chainNodeBasicAuthApi', testedBy: 'nodeBasicAuth' },
		],
		builderHint: {
			searchHint:
				'To pay, prefer Chain Pay. Otherwise: transaction:prepare → prepared:sign of Chain Signer → transaction:send → transaction:wait; defaults take the item before.',
			relatedNodes: signingNodes,
		},
		properties: buildNodeProperties(resources),
	};

	methods = { credentialTest: nodeCredentialTests, ...functionEditor };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRpc));
	}
}
