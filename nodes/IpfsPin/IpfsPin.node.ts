import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testPlatformApi } from '../core/credentialTests';
import { properties, subtitle } from '../core/operation/panel';
import { restClient } from '../core/rest/rest';
import { run } from '../core/run';
import { upload, uploadJson } from './pin';

const menu = { pin: { name: 'Pin', operations: { upload, uploadJson } } };

export class IpfsPin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain IPFS Pin',
		name: 'ipfsPin',
		icon: { light: 'file:../../icons/ipfsPin.svg', dark: 'file:../../icons/ipfsPin.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(menu),
		description: 'Pin files and JSON to IPFS',
		defaults: { name: 'Chain IPFS Pin' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainPlatformApi', required: true, testedBy: 'platformApi' }],
		properties: properties(menu),
	};

	methods = { credentialTest: { platformApi: testPlatformApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, menu, restClient('chainPlatformApi', 'upload'));
	}
}
