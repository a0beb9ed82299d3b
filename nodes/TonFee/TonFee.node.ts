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
import { tonApi } from '../fields/tonApi';
import { tonLists } from '../fields/tonLists';
import { estimate } from './estimate';

/** The first resource must stay the default: workflows that were saved when it was the only resource rely on it. */
const resources = { fee: { name: 'Fee', operations: { estimate } }, api: tonApi };

export class TonFee implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain TON Fee',
		name: 'tonFee',
		icon: {
			light: 'file:../../icons/tonFee.svg',
			dark: 'file:../../icons/tonFee.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Estimate what a transaction on a TON chain costs, or call any method of the TON API',
		defaults: { name: 'Chain TON Fee' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: buildNodeProperties(resources),
	};

	methods = { credentialTest: nodeCredentialTests, listSearch: tonLists };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRest));
	}
}
