import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { createLeastAmount } from '../core/chain/payment';
import type { RestReader } from '../core/chain/reader';
import { nodeCredentialTests } from '../core/credentialTests';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode, nodeCredentials } from '../core/nodeCredentials';
import { buildEventSubtitle, buildProperty } from '../core/operation/panel';
import { connectRest } from '../core/protocols/rest';
import { followAccounts } from '../core/ton/follow';
import { createHintLog } from '../core/trigger/hints';
import { buildTriggerPanel } from '../core/trigger/panel';
import {
	buildSearch,
	createPollReader,
	pollTrigger,
	choosePollEvent,
	buildValueSearch,
	isValueChosen,
} from '../core/trigger/poll';
import { readStart } from '../core/trigger/startAt';
import { tableNodes } from '../fields/relatedNodes';
import { event, EVENTS, fields, parseOptions, triggerOptions } from './events';
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
			'Starts the workflow on payments in coins and jettons on a TON chain, with their comments. The node Chain TON prepares payments, and reads accounts, jettons and NFTs.',
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

	/** Gives the items that are new since the last poll, or null. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this, {
			connect: connectNode(connectRest),
			createSearch: async (client, source) => {
				const reader: RestReader = createPollReader(client);
				if (isValueChosen(source, event)) return buildValueSearch(value, source, { reader });
				const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
				const { minAmount, startAt } = parseOptions(source);
				const least = createLeastAmount(minAmount, createHintLog(this));
				const accounts = await createView({ reader, least });
				const timezone = this.getTimezone();
				const start = readStart(source, { options: triggerOptions, given: startAt, timezone });
				return buildSearch({ ...choice, start, followed: followAccounts(reader, accounts) });
			},
			advise: ({ httpCode }) =>
				getStatusAdvice(httpCode, 'Check the Node Address of the credential.'),
		});
	}
}
