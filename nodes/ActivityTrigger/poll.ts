import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import type { RequestFailure } from '../core/errors/requestFailure';
import { findSearchLimit } from '../core/net/responses/rpcErrors';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import type { Client } from '../core/operation/client';
import { connectNode } from '../core/nodeCredentials';
import { connectRpc } from '../core/protocols/rpc/rpc';
import type { RpcRequest } from '../core/protocols/rpc/request';
import { createRpcReader, runPoll } from '../core/trigger/poll';
import { choosePollEvent } from '../core/trigger/pollEvent';
import type { ChainView } from '../core/chain/advance';
import { events } from './events';
import { event } from './fields';
import { withDefaults, options } from './options';
import type { PollSource } from './pollSource';
import { readNews, readSample, type PollSearch } from './readChain';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRpc),
		createSearch: (client) => createSearch(context, client),
		readSample,
		readNews: async (search, deadline) => await readNews(context, search, deadline),
		advise,
	});
}

function createSearch(context: IPollFunctions, client: Client<RpcRequest>): PollSearch {
	const source = createParameterSource(context);
	const { watched, createView, sample } = choosePollEvent<PollSource, ChainView>(
		source,
		event,
		events,
	);
	const pollOptions = withDefaults(createParameterParser(source, [options])(0));
	const blocks = createRpcReader(client, pollOptions.blockPath);
	const traces = createRpcReader(client, pollOptions.tracePath);
	const doubtedBlocks = new Set<number>();
	const reportDoubt = (block: number) => void doubtedBlocks.add(block);
	const { includeReverted } = pollOptions;
	return {
		chain: blocks,
		view: createView({ blocks, traces, reportDoubt, includeReverted }),
		doubtedBlocks,
		watched,
		sample,
		options: pollOptions,
	};
}

function advise({ message, httpCode }: RequestFailure): string | undefined {
	return findSearchLimit(message.toLowerCase())
		? "If the node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: getStatusAdvice(httpCode, "Check the option 'Path', and the Node URL of the credential.");
}
