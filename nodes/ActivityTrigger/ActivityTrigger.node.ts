import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import type { ChainView } from '../core/chain/advance';
import { createLeastAmount } from '../core/chain/payment';
import { nodeCredentialTests } from '../core/credentialTests';
import { getStatusAdvice } from '../core/errors/nodeError';
import type { RequestFailure } from '../core/errors/requestFailure';
import { followChain } from '../core/evm/follow/follow';
import { findSearchLimit } from '../core/net/responses/rpcErrors';
import { connectNode, nodeCredentials } from '../core/nodeCredentials';
import { buildEventSubtitle, buildProperty } from '../core/operation/panel';
import { createParameterParser } from '../core/operation/parameters';
import { connectRpc } from '../core/protocols/rpc/connect';
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
import { functionEditor } from '../fields/functionEditor';
import { tableNodes } from '../fields/relatedNodes';
import { event, EVENTS, fields, triggerOptions, withDefaults } from './events';
import type { PollSource } from './pollSource';
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

	/** Gives the items that are new since the last poll, or null. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTrigger(this, {
			connect: connectNode(connectRpc),
			createSearch: (client, source) => {
				const chosen = withDefaults(createParameterParser(source, [triggerOptions])(0));
				const { confirmations, includeReverted, maxBlocksPerPoll } = chosen;
				const blocks = createRpcReader(client, chosen.blockPath);
				if (isValueChosen(source, event))
					return buildValueSearch(value, source, { reader: blocks, confirmations });
				const { createView, ...choice } = choosePollEvent<PollSource, ChainView>(
					source,
					event,
					EVENTS,
				);
				const traces = createRpcReader(client, chosen.tracePath);
				const doubtedBlocks = new Set<number>();
				const reportDoubt = (block: number) => void doubtedBlocks.add(block);
				const least = createLeastAmount(chosen.minAmount, createHintLog(this));
				const view = createView({ blocks, traces, reportDoubt, includeReverted, least });
				const followed = followChain(blocks, { view, confirmations, doubtedBlocks });
				const timezone = this.getTimezone();
				const start = readStart(source, {
					options: triggerOptions,
					given: chosen.startAt,
					timezone,
				});
				return buildSearch({ ...choice, start, followed, maxBlocks: maxBlocksPerPoll });
			},
			advise,
		});
	}
}

function advise({ message, httpCode }: RequestFailure): string | undefined {
	return findSearchLimit(message.toLowerCase())
		? "If the chain node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: getStatusAdvice(httpCode, "Check the option 'Path', and the Node Address of the credential.");
}
