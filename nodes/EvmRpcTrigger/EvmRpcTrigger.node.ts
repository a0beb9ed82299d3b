import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { nodeCredentials } from '../core/nodeCredentials';
import { buildEventSubtitle, buildProperty } from '../core/operation/panel';
import { buildTriggerPanel } from '../core/trigger/panel';
import { tableNodes } from '../fields/relatedNodes';
import { EVENTS, fields } from './events';
import { startSocketTrigger } from './start';

export class EvmRpcTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain EVM RPC Trigger',
		name: 'evmRpcTrigger',
		icon: {
			light: 'file:../../icons/evmRpcTrigger.svg',
			dark: 'file:../../icons/evmRpcTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildEventSubtitle(EVENTS),
		// n8n lists a node and its trigger as one entry with the trigger's description. So this description also names what the node does.
		description:
			'Starts the workflow on blocks, events and transfers of an EVM chain. The node Chain EVM RPC reads balances, tokens, NFTs and contracts, and prepares transactions.',
		defaults: { name: 'Chain EVM RPC Trigger' },
		eventTriggerDescription: 'Waiting for the event to happen on the chain',
		activationMessage: 'The workflow now starts whenever the event happens on the chain.',
		triggerPanel: buildTriggerPanel({
			header: 'Wait for the next event on the chain',
			whileBuilding: 'The next event on the chain runs the workflow once and appears here.',
			published: 'whenever the event happens on the chain',
		}),
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'Store events with an upsert by `key` (payments) or by `transactionHash` and `logIndex`. An event with `removed: true` was taken back by a reorganization: delete its row.',
			relatedNodes: tableNodes,
		},
		properties: fields.map((field) => buildProperty(field)),
	};

	methods = { credentialTest: nodeCredentialTests };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startSocketTrigger(this);
	}
}
