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
import { createParameterParser } from '../core/operation/parameters';
import { connectRest } from '../core/protocols/rest';
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
import { followBlocks } from '../core/witness/follow';
import { functionEditor } from '../fields/functionEditor';
import { tableNodes } from '../fields/relatedNodes';
import { event, EVENTS, fields, triggerOptions, withDefaults } from './events';
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
			'Starts the workflow on payments, transfers of tokens and contract events of TRON, as soon as they are irreversible. The node Chain Witness Wallet builds transfers, votes and calls of contracts.',
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

	/** Gives the items that are new since the last poll, or null. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this, {
			connect: connectNode(connectRest),
			createSearch: (client, source) => {
				const chosen = withDefaults(createParameterParser(source, [triggerOptions])(0));
				const reader: RestReader = createPollReader(client);
				if (isValueChosen(source, event)) return buildValueSearch(value, source, { reader });
				const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
				const least = createLeastAmount(chosen.minAmount, createHintLog(this));
				const followed = followBlocks(reader, createView({ reader, least }));
				const timezone = this.getTimezone();
				const start = readStart(source, {
					options: triggerOptions,
					given: chosen.startAt,
					timezone,
				});
				return buildSearch({ ...choice, start, followed, maxBlocks: chosen.maxBlocksPerPoll });
			},
			advise: ({ httpCode }) =>
				getStatusAdvice(httpCode, 'Check the Node Address of the credential.'),
		});
	}
}
