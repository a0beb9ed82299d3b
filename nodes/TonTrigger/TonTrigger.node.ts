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
import { EVENTS, fields } from './events';
import { poll } from './poll';
import { value } from './value';

export class TonTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain TON Trigger',
		name: 'tonTrigger',
		icon: {
			light: 'file:../../icons/tonTrigger.svg',
			dark: 'file:../../icons/tonTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildEventSubtitle({ ...EVENTS, value }),
		description:
			'Starts the workflow on payments in coins and jettons on a TON chain, with their comments; actions pay and read accounts, jettons and NFTs',
		defaults: { name: 'Chain TON Trigger' },
		polling: true,
		activationMessage:
			'The workflow now checks the accounts regularly and starts for each payment.',
		triggerPanel: buildTriggerPanel({
			header: 'Look for payments on the chain',
			whileBuilding: 'The latest payment on the chain runs the workflow once and appears here.',
			published: 'whenever a regular check of the chain finds a payment',
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

	methods = { credentialTest: nodeCredentialTests };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
