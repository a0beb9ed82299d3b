import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { properties, run, subtitle } from '../../../nodes/core';
import { credentialTest, listsOf, requestFields } from '../core/editor';
import { call, describe, listServices } from './service';
import { grpcClient } from './client';

const menu = { service: { name: 'Service', operations: { call, describe, listServices } } };

export class Grpc implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain gRPC',
		name: 'grpc',
		icon: { light: 'file:../../icons/grpc.svg', dark: 'file:../../icons/grpc.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(menu),
		description: 'Call the methods of a chain node over gRPC',
		defaults: { name: 'Chain gRPC' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainNodeXTokenApi', required: true, testedBy: 'xToken' }],
		properties: properties(menu),
	};

	methods = {
		credentialTest,
		listSearch: listsOf('unary', 'serverStreaming', 'clientStreaming', 'bidirectional'),
		resourceMapping: { requestFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, menu, grpcClient);
	}
}
