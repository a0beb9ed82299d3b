import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { nodeClient, nodeCredentials } from '../core/nodeCredentials';
import { rpcClient } from '../core/rpc/rpc';
import { nodeProperties, subtitle } from '../core/operation/panel';
import { run } from '../core/run';
import { simulate } from './simulate';

const menu = { simulation: { name: 'Simulation', operations: { simulate } } };

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
		subtitle: subtitle(menu),
		description: 'Simulate transactions on a STARK-rollup chain without executing them',
		defaults: { name: 'Chain L2 Simulate' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		properties: nodeProperties(menu),
	};

	methods = { credentialTest: nodeCredentialTests };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, menu, nodeClient(rpcClient));
	}
}
