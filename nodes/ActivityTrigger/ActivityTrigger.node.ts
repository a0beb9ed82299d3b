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
import { functionEditor } from '../fields/functionEditor';
import { tableNodes } from '../fields/relatedNodes';
import { EVENTS, fields } from './events';
import { poll } from './poll';
import { value } from './value';

export class ActivityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Activity Trigger',
		name: 'activityTrigger',
		icon: {
			light: 'file:../../icons/activityTrigger.svg',
			dark: 'file:../../icons/activityTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildEventSubtitle({ ...EVENTS, value }),
		description:
			'Starts the workflow on new blocks, logs, transfers, the activity of addresses or a value that crosses a threshold on an EVM chain',
		defaults: { name: 'Chain Activity Trigger' },
		polling: true,
		activationMessage: 'The workflow now checks the chain regularly and starts for anything new.',
		triggerPanel: buildTriggerPanel({
			header: 'Look for activity on the chain',
			whileBuilding: 'The latest event on the chain runs the workflow once and appears here.',
			published: 'whenever a regular check of the chain finds something new',
		}),
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'Store events with an upsert by `key` (payments) or by `transactionHash` and `logIndex`. An event with `removed: true` was taken back by a reorganization: delete its row, or set Confirmations to hear of settled ones only.',
			relatedNodes: tableNodes,
		},
		properties: fields.map((field) => buildProperty(field)),
	};

	methods = {
		credentialTest: nodeCredentialTests,
		loadOptions: functionEditor.loadOptions,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
