import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testPlatformApi } from '../core/credentialTests';
import { buildProperties, buildSubtitle } from '../core/operation/panel';
import { connectRest } from '../core/protocols/rest';
import { run } from '../core/run';
import { download } from './download';
import { upload, uploadJson } from './pin';

const resources = { pin: { name: 'Pin', operations: { upload, uploadJson, download } } };

export class IpfsPin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain IPFS Pin',
		name: 'ipfsPin',
		icon: { light: 'file:../../icons/ipfsPin.svg', dark: 'file:../../icons/ipfsPin.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Pin (store) files and JSON on IPFS, and download files that are checked by their CID',
		defaults: { name: 'Chain IPFS Pin' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainPlatformApi', required: true, testedBy: 'platformApi' }],
		builderHint: {
			searchHint:
				'To check the pinned file, put download after upload or uploadJson: its defaults take the CID and the link of the pin. An upload takes storage of the plan, so keep it out of loops that retry.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-chain-infra.evmRpc',
					relationHint: 'Mints an NFT that names the CID, with transaction:prepare',
				},
			],
		},
		properties: buildProperties(resources),
	};

	methods = { credentialTest: { platformApi: testPlatformApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectRest('chainPlatformApi', 'upload'));
	}
}
