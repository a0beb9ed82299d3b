import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testPlatformApi } from '../core/credentialTests';
import { buildProperties } from '../core/operation/panel';
import { connectRest } from '../core/protocols/rest';
import { run } from '../core/run';
import { request } from './request';

const resources = { faucet: { name: 'Faucet', operations: { request } } };

export class Faucet implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Faucet',
		name: 'faucet',
		icon: { light: 'file:../../icons/faucet.svg', dark: 'file:../../icons/faucet.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["chain"] }}',
		description: 'Get testnet funds for an address',
		defaults: { name: 'Chain Faucet' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainPlatformApi', required: true, testedBy: 'platformApi' }],
		builderHint: {
			searchHint:
				'Test networks only, and each request counts towards the limits of the faucet: read the balance first, and request only where it is low.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-chain-infra.evmRpc',
					relationHint: 'Reads the balance first, with account:getBalance',
				},
			],
		},
		properties: buildProperties(resources),
	};

	methods = { credentialTest: { platformApi: testPlatformApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectRest('chainPlatformApi'));
	}
}
