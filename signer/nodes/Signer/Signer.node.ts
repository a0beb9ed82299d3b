import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { buildProperties, buildProperty, run, buildSubtitle } from '../../../nodes/core';
import { connectSigner } from '../core/client';
import { credentialTest } from '../core/editor';
import { authentication } from '../core/fields';
import { account } from './account';
import { httpPayment } from './httpPayment';
import { message } from './message';
import { prepared } from './prepared';
import { starkTransaction } from './starkTransaction';
import { tonTransfer } from './tonTransfer';
import { transaction } from './transaction';
import { typedData } from './typedData';
import { witnessTransaction } from './witnessTransaction';

const resources = {
	account,
	httpPayment,
	message,
	prepared,
	starkTransaction,
	tonTransfer,
	transaction,
	typedData,
	witnessTransaction,
};

export class Signer implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Signer',
		name: 'signer',
		icon: { light: 'file:../../icons/signer.svg', dark: 'file:../../icons/signer.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description: 'Sign transactions within the rules of a credential, which no workflow can change',
		defaults: { name: 'Chain Signer' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'chainSignerKeyApi',
				required: true,
				testedBy: 'signerKey',
				displayOptions: { show: { authentication: ['key'] } },
			},
			{
				name: 'chainSignerRemoteApi',
				required: true,
				testedBy: 'signerRemote',
				displayOptions: { show: { authentication: ['remote'] } },
			},
			{
				name: 'chainSignerDepositsApi',
				required: true,
				testedBy: 'signerDeposits',
				displayOptions: {
					show: { resource: ['account'] },
					hide: { kind: ['evm', 'stark', 'ton'] },
				},
			},
			// The entry of this credential needs `show`. Without `show`, the editor would also offer the credentials among which the field
			// Authentication chooses.
			{
				name: 'chainSignerStarkApi',
				required: true,
				testedBy: 'signerStark',
				displayOptions: {
					show: { resource: ['account', 'prepared', 'starkTransaction'] },
					hide: { kind: ['deposits', 'evm', 'ton'] },
				},
			},
			{
				name: 'chainSignerTonApi',
				required: true,
				testedBy: 'signerTon',
				displayOptions: {
					show: { resource: ['account', 'prepared', 'tonTransfer'] },
					hide: { kind: ['deposits', 'evm', 'stark'] },
				},
			},
		],
		builderHint: {
			searchHint:
				'Use prepared:sign between the node that prepares and the one that sends; its default takes the item before it. The rules of the credential decide what may be signed, never a parameter.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-chain-infra-signer.pay',
					relationHint: 'Prepares, signs, sends and waits in one node',
				},
				{
					nodeType: 'n8n-nodes-chain-infra.evmRpc',
					relationHint:
						'EVM chains: transaction:prepare before, transaction:send and transaction:wait after',
				},
				{
					nodeType: 'n8n-nodes-chain-infra.ton',
					relationHint:
						'TON: transaction:prepare before, transaction:send and transaction:wait after',
				},
				{
					nodeType: 'n8n-nodes-chain-infra.stark',
					relationHint:
						'STARK rollups: transaction:prepare before, transaction:send and transaction:wait after',
				},
				{
					nodeType: 'n8n-nodes-chain-infra.witnessWallet',
					relationHint:
						'TRON: transaction:buildTransfer before, witness:broadcast and transaction:wait after',
				},
			],
		},
		properties: [buildProperty(authentication), ...buildProperties(resources)],
	};

	methods = { credentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectSigner);
	}
}
