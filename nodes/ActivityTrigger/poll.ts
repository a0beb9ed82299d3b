import { throwAgain } from '../core/values/parse';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { activationError, getStatusAdvice, nodeError } from '../core/errors/nodeError';
import type { ApiPath } from '../core/operation/path';
import { RequestFailure, withAdvice, withoutSecrets } from '../core/errors/requestFailure';
import { createShared } from '../core/operation/results';
import type { ChainReader } from '../core/transport/rpc/chain';
import { findSearchLimit } from '../core/transport/responses/rpcErrors';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import { Stop } from '../core/transport/pacing/stop';
import type { Client } from '../core/operation/client';
import { connectNode } from '../core/nodeCredentials';
import { connectRpc } from '../core/transport/rpc/rpc';
import type { RpcRequest } from '../core/transport/rpc/request';
import { copyItems } from '../core/trigger/executions';
import { events } from './events';
import { event } from './fields';
import { withDefaults, options } from './options';
import type { PollEvent } from './pollEvent';
import { readNews, type PollSearch } from './readChain';

/** What is new on the chain since the last poll, or null: n8n starts no execution then. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const stop = new Stop();
	try {
		const client = await connectNode(connectRpc)(context, stop);
		const search = createSearch(context, client);
		const found = await readNews(context, search).catch(async (failure) => {
			return throwAgain(explainFailure(failure, client.redact));
		});
		return found.length > 0 ? copyItems(found) : null;
	} catch (failure) {
		const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
		throw errorFor(context.getNode(), failure);
	} finally {
		// Cancels pending retries.
		stop.stop();
	}
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

function explainFailure(failure: unknown, redact: (text: string) => string): unknown {
	if (!(failure instanceof RequestFailure)) return failure;
	const advice = findSearchLimit(failure.message.toLowerCase())
		? "If the node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: getStatusAdvice(
				failure.httpCode,
				"Check the option 'Path', and the Node URL of the credential.",
			);
	return withoutSecrets(withAdvice(failure, advice), redact);
}
