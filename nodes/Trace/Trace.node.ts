import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { connectNode, nodeCredentials } from '../core/nodeCredentials';
import { connectRpc } from '../core/protocols/rpc/connect';
import { buildNodeProperties, buildSubtitle } from '../core/operation/panel';
import { run } from '../core/run';
import { filter } from './filter';

const resources = { trace: { name: 'Trace', operations: { filter } } };

export class Trace implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Trace',
		name: 'trace',
		icon: { light: 'file:../../icons/trace.svg', dark: 'file:../../icons/trace.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Find calls and transfers on an EVM chain, even if a contract makes them inside a transaction',
		defaults: { name: 'Chain Trace' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: buildNodeProperties(resources),
	};

	methods = { credentialTest: nodeCredentialTests };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectNode(connectRpc));
	}
}
