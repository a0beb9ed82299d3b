import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { createLeastAmount } from '../core/chain/payment';
import { nodeCredentialTests } from '../core/credentialTests';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode, nodeCredentials } from '../core/nodeCredentials';
import { buildEventSubtitle, buildProperty } from '../core/operation/panel';
import { createParameterParser } from '../core/operation/parameters';
import { connectRpc } from '../core/protocols/rpc/connect';
import { followEvents } from '../core/stark/follow';
import { createStarkNode } from '../core/stark/reader';
import { createHintLog } from '../core/trigger/hints';
import { buildTriggerPanel } from '../core/trigger/panel';
import {
	buildSearch,
	createRpcReader,
	pollTrigger,
	choosePollEvent,
	buildValueSearch,
	isValueChosen,
} from '../core/trigger/poll';
import { readStart } from '../core/trigger/startAt';
import { tableNodes } from '../fields/relatedNodes';
import { starkLists } from '../fields/starkLists';
import { event, EVENTS, fields, triggerOptions, withDefaults } from './events';
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
			'Starts the workflow on events of contracts and transfers of tokens on Starknet or another STARK rollup. The node Chain STARK calls and describes contracts, and prepares transactions.',
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

	/** Gives the items that are new since the last poll, or null. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this, {
			connect: connectNode(connectRpc),
			createSearch: (client, source) => {
				const chosen = withDefaults(createParameterParser(source, [triggerOptions])(0));
				const reader = createStarkNode(createRpcReader(client, chosen.path), chosen.methodPrefix);
				if (isValueChosen(source, event))
					return buildValueSearch(value, source, { reader, until: chosen.until });
				const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
				const least = createLeastAmount(chosen.minAmount, createHintLog(this));
				const watch = createView({ reader, least });
				const timezone = this.getTimezone();
				const start = readStart(source, {
					options: triggerOptions,
					given: chosen.startAt,
					timezone,
				});
				return buildSearch({
					...choice,
					start,
					followed: followEvents(reader, watch, chosen.until),
				});
			},
			advise: ({ httpCode }) =>
				getStatusAdvice(
					httpCode,
					"Check the option 'Path', and the Node Address of the credential.",
				),
		});
	}
}
