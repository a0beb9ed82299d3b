import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { activationError, adviceFor, nodeError } from '../core/errors/nodeError';
import type { ApiPath } from '../core/operation/path';
import { RequestFailure, withAdvice, withoutSecrets } from '../core/errors/requestFailure';
import { fingerprint } from '../core/follow/position';
import { memoryOf } from '../core/operation/results';
import type { ChainReader } from '../core/rpc/chain';
import { searchLimitIn } from '../core/responses/rpcErrors';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import { Stop } from '../core/pacing/stop';
import type { Client } from '../core/operation/client';
import { nodeClient } from '../core/nodeCredentials';
import { rpcClient } from '../core/rpc/rpc';
import type { RpcRequest } from '../core/rpc/request';
import { copied } from '../core/trigger/executions';
import { events } from './events';
import { event } from './fields';
import { chosen, options } from './options';
import type { AnyPollEvent } from './pollEvent';
import { readChain, type Search } from './readChain';

/** What is new on the chain since the last poll, or null: n8n starts no execution then. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const stop = new Stop();
	try {
		const client = await nodeClient(rpcClient)(context, stop);
		const search = searchOf(context, client);
		const found = await readChain(context, search).catch(async (failure) => {
			return await Promise.reject(explained(failure, client.redact));
		});
		return found.length > 0 ? copied(found) : null;
	} catch (failure) {
		const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
		throw errorFor(context.getNode(), failure);
	} finally {
		// Cancels pending retries.
		stop.stopNow();
	}
}

function searchOf(context: IPollFunctions, client: Client<RpcRequest>): Search {
	const source = parameterSource(context);
	const chosenEvent = parameterReader(source, [event])(0).event as keyof typeof events;
	const { fields, choices, samples, sought, view }: AnyPollEvent = events[chosenEvent];
	const parameters = parameterReader(source, fields)(0) as never;
	const all = chosen(parameterReader(source, [options])(0));
	const blocks = readerAt(client, all.blockPath);
	const traces = readerAt(client, all.tracePath);
	const doubts = new Set<number>();
	const doubt = (block: number) => void doubts.add(block);
	return {
		chain: blocks,
		view: view(parameters, { blocks, traces, doubt }, all),
		doubts,
		watched: fingerprint(choices(parameters)),
		samples: samples(all),
		sought,
		options: all,
	};
}

function readerAt(client: Client<RpcRequest>, path: ApiPath): ChainReader {
	return {
		// Not from the cache: the same call again is meant to see what has changed.
		call: async (method, params) =>
			await client.call({ path, method, params, isFresh: true }, { item: 0, nonIdempotent: false }),
		memory: memoryOf(),
	};
}

function explained(failure: unknown, redact: (text: string) => string): unknown {
	if (!(failure instanceof RequestFailure)) return failure;
	const advice = searchLimitIn(failure.message.toLowerCase())
		? "If the node limits how much one search may span, lower the option 'Max Blocks Per Poll'."
		: adviceFor(failure.httpCode, "Check the option 'Path', and the Node URL of the credential.");
	return withoutSecrets(withAdvice(failure, advice), redact);
}
