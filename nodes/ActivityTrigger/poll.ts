import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { ChainView } from '../core/chain/advance';
import { createLeastAmount } from '../core/chain/payment';
import { getStatusAdvice } from '../core/errors/nodeError';
import type { RequestFailure } from '../core/errors/requestFailure';
import { followChain } from '../core/evm/follow/follow';
import { findSearchLimit } from '../core/net/responses/rpcErrors';
import { connectNode } from '../core/nodeCredentials';
import { createParameterParser } from '../core/operation/parameters';
import { connectRpc } from '../core/protocols/rpc/connect';
import { createHintLog } from '../core/trigger/hints';
import {
	buildSearch,
	createRpcReader,
	pollTrigger,
	choosePollEvent,
	buildValueSearch,
	isValueChosen,
} from '../core/trigger/poll';
import { readStart } from '../core/trigger/startAt';
import { event, EVENTS, triggerOptions, withDefaults } from './events';
import type { PollSource } from './pollSource';
import { value } from './value';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollTrigger(context, {
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
			const least = createLeastAmount(chosen.minAmount, createHintLog(context));
			const view = createView({ blocks, traces, reportDoubt, includeReverted, least });
			const followed = followChain(blocks, { view, confirmations, doubtedBlocks });
			const timezone = context.getTimezone();
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

function advise({ message, httpCode }: RequestFailure): string | undefined {
	return findSearchLimit(message.toLowerCase())
		? "If the node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: getStatusAdvice(httpCode, "Check the option 'Path', and the Node Address of the credential.");
}
