import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { buildProperty, buildTriggerPanel } from '../../../nodes/core';
import { credentialTest, createListSearch } from '../core/editor';
import { fields, startGrpcTrigger } from './start';

export class GrpcTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain gRPC Trigger',
		name: 'grpcTrigger',
		icon: {
			light: 'file:../../icons/grpcTrigger.svg',
			dark: 'file:../../icons/grpcTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["method"] }}',
		// The description names both nodes, because n8n lists a node and its trigger as one and shows the text of the trigger.
		description:
			'Starts the workflow when a chain node sends a message over a gRPC stream; to call methods of the chain node, use Chain gRPC',
		defaults: { name: 'Chain gRPC Trigger' },
		eventTriggerDescription: 'Waiting for a message from the stream',
		activationMessage: 'The workflow now starts whenever the stream brings a message.',
		triggerPanel: buildTriggerPanel({
			header: 'Receive the messages of a stream',
			whileBuilding: 'The next message of the stream runs the workflow once and appears here.',
			published: 'whenever the stream brings a message',
		}),
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainNodeXTokenApi', required: true, testedBy: 'xToken' }],
		properties: fields.map((field) => buildProperty(field)),
	};

	methods = { credentialTest, listSearch: createListSearch('serverStreaming', 'bidirectional') };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startGrpcTrigger(this);
	}
}
