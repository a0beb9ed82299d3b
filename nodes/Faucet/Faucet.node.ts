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
		properties: buildProperties(resources),
	};

	methods = { credentialTest: { platformApi: testPlatformApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectRest('chainPlatformApi'));
	}
}
