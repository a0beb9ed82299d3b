import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { buildProperties, run, buildSubtitle } from '../../../nodes/core';
import { credentialTest, createListSearch, loadRequestFields } from '../core/editor';
import { call, describe, listServices } from './service';
import { connectGrpc } from './client';

const resources = { service: { name: 'Service', operations: { call, describe, listServices } } };

export class Grpc implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain gRPC',
		name: 'grpc',
		icon: { light: 'file:../../icons/grpc.svg', dark: 'file:../../icons/grpc.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description: 'Call the methods of a chain node over gRPC',
		defaults: { name: 'Chain gRPC' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainNodeXTokenApi', required: true, testedBy: 'xToken' }],
		properties: buildProperties(resources),
	};

	methods = {
		credentialTest,
		listSearch: createListSearch('unary', 'serverStreaming', 'clientStreaming', 'bidirectional'),
		resourceMapping: { requestFields: loadRequestFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectGrpc);
	}
}
