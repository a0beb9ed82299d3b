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

export class WitnessWalletTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Witness Wallet Trigger',
		name: 'witnessWalletTrigger',
		icon: {
			light: 'file:../../icons/witnessWalletTrigger.svg',
			dark: 'file:../../icons/witnessWalletTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildEventSubtitle({ ...EVENTS, value }),
		description:
			'Starts the workflow on irreversible payments, transfers of tokens and contract events of TRON; actions build transfers, votes and calls of contracts',
		defaults: { name: 'Chain Witness Wallet Trigger' },
		polling: true,
		activationMessage: 'The workflow now checks the chain regularly and starts for anything new.',
		triggerPanel: buildTriggerPanel({
			header: 'Look for payments and events on the chain',
			whileBuilding: 'The latest event on the chain runs the workflow once and appears here.',
			published: 'whenever a regular check of the chain finds something new',
		}),
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: nodeCredentials,
		builderHint: {
			searchHint:
				'Events are final when they come. Store payments with an upsert by `key`; compare `token` and `amount`, never `symbol`, with what was expected.',
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
