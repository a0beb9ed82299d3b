import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import type { ApiPath } from '../core/operation/path';
import type { RequestFailure } from '../core/errors/requestFailure';
import { createShared } from '../core/operation/results';
import type { ChainReader } from '../core/transport/rpc/chain';
import { findSearchLimit } from '../core/transport/responses/rpcErrors';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import type { Client } from '../core/operation/client';
import { connectNode } from '../core/nodeCredentials';
import { connectRpc } from '../core/transport/rpc/rpc';
import type { RpcRequest } from '../core/transport/rpc/request';
import { runPoll } from '../core/trigger/poll';
import { events } from './events';
import { event } from './fields';
import { withDefaults, options } from './options';
import type { PollEvent } from './pollEvent';
import { readNews, type PollSearch } from './readChain';

/** What is new on the chain since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRpc),
		read: async (client) => await readNews(context, createSearch(context, client)),
		advise,
	});
}

function createSearch(context: IPollFunctions, client: Client<RpcRequest>): PollSearch {
	const source = createParameterSource(context);
	const name = createParameterParser(source, [event])(0).event as keyof typeof events;
	const { choose, sample }: PollEvent = events[name];
	const { watched, createView } = choose(source);
	const pollOptions = withDefaults(createParameterParser(source, [options])(0));
	const blocks = createReader(client, pollOptions.blockPath);
	const traces = createReader(client, pollOptions.tracePath);
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

function createReader(client: Client<RpcRequest>, path: ApiPath): ChainReader {
	return {
		// Not from the cache: the same call again is meant to see what has changed.
		call: async (method, params) =>
			await client.call({ path, method, params, isFresh: true }, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
}

function advise({ message, httpCode }: RequestFailure): string | undefined {
	return findSearchLimit(message.toLowerCase())
		? "If the node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: getStatusAdvice(httpCode, "Check the option 'Path', and the Node URL of the credential.");
}
