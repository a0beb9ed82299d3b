import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { nodeCredentialTests } from '../core/credentialTests';
import { nodeCredentials } from '../core/nodeCredentials';
import { buildEventSubtitle, buildProperty } from '../core/operation/panel';
import { buildTriggerPanel } from '../core/trigger/panel';
import { tableNodes } from '../fields/relatedNodes';
import { starkLists } from '../fields/starkLists';
import { EVENTS, fields } from './events';
import { poll } from './poll';
import { value } from './value';

export class StarkTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain STARK Trigger',
		name: 'starkTrigger',
		icon: {
			light: 'file:../../icons/starkTrigger.svg',
			dark: 'file:../../icons/starkTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildEventSubtitle({ ...EVENTS, value }),
		description:
			'Starts the workflow on events of contracts and transfers of tokens on a STARK-rollup chain; actions call and describe contracts and prepare transactions',
		defaults: { name: 'Chain STARK Trigger' },
		polling: true,
		activationMessage: 'The workflow now checks the chain regularly and starts for anything new.',
		triggerPanel: buildTriggerPanel({
			header: 'Look for events on the chain',
			whileBuilding: 'The latest event on the chain runs the workflow once and appears here.',
			published: 'whenever a regular check of the chain finds something new',
		}),
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'Events are never taken back. Store transfers with an upsert by `key`, other events by `transactionHash` and `eventIndex`.',
			relatedNodes: tableNodes,
		},
		properties: fields.map((field) => buildProperty(field)),
	};

	methods = { credentialTest: nodeCredentialTests, listSearch: starkLists };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
