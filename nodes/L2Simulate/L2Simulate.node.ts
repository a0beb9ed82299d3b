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
import { simulate } from './simulate';

const resources = { simulation: { name: 'Simulation', operations: { simulate } } };

export class L2Simulate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain L2 Simulate',
		name: 'l2Simulate',
		icon: {
			light: 'file:../../icons/l2Simulate.svg',
			dark: 'file:../../icons/l2Simulate.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description: 'Simulate transactions on a STARK rollup such as Starknet without executing them',
		defaults: { name: 'Chain L2 Simulate' },
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
