import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RpcReader } from '../chain/reader';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice, withoutSecrets } from '../errors/requestFailure';
import type { Client, Connect } from '../operation/client';
import { createParameterSource, type ParameterSource } from '../operation/parameters';
import type { ApiPath } from '../operation/path';
import { Stop } from '../net/pacing/stop';
import type { RpcRequest } from '../protocols/rpc/request';
import type { JsonObject } from '../values/json';
import { rethrow } from '../values/parse';
import { copyItems } from './executions';
import { readNews, type Watch } from './news';
import { readSample, type Sample } from './pollEvent';
import { createShared } from '../net/pacing/shared';

interface Polling<Request> {
	readonly connect: Connect<Request, IPollFunctions>;
	/** Reads from the parameters what a poll searches for. */
	createSearch(client: Client<Request>, parameters: ParameterSource): Search | Promise<Search>;
	/** Says what the user can do about a failure. */
	advise(failure: RequestFailure): string | undefined;
}

/** The search of a poll. Only this search reads and writes its position. */
interface Search {
	readNews(context: IPollFunctions, deadline: number): Promise<readonly JsonObject[]>;
	readSample(deadline: number): Promise<JsonObject>;
}

export function buildSearch<Position>(
	search: Watch<Position> & { readonly sample: Sample },
): Search {
	return {
		readNews: async (context, deadline) => await readNews(context, search, deadline),
		readSample: async (deadline) => await readSample(search, deadline),
	};
}

/**
 * Polls once: gives new items, or null if there are none, so that n8n starts no execution. In the editor, it gives the
 * latest event.
 */
export async function pollTrigger<Request>(
	context: IPollFunctions,
	polling: Polling<Request>,
): Promise<INodeExecutionData[][] | null> {
	const stop = new Stop();
	try {
		const client = await polling.connect(context, stop);
		const found = await readItems(context, client, polling).catch((failure) => {
			if (!(failure instanceof RequestFailure)) return rethrow(failure);
			throw withoutSecrets(withAdvice(failure, polling.advise(failure)), client.redact);
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

async function readItems<Request>(
	context: IPollFunctions,
	client: Client<Request>,
	{ createSearch }: Polling<Request>,
): Promise<readonly JsonObject[]> {
	const deadline = getPollDeadline(context);
	const search = await createSearch(client, createParameterSource(context));
	return context.getMode() === 'manual'
		? [await search.readSample(deadline)]
		: await search.readNews(context, deadline);
}

const DEFAULT_BUDGET_MS = 60_000;
/** The rest of the time is for the range that is then being read. */
const READING_SHARE = 0.8;

/** When a poll that begins now must have read enough. Older versions of n8n have no limit. */
function getPollDeadline(context: IPollFunctions): number {
	return Date.now() + (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * READING_SHARE;
}

/** Calls the service, with a memory that lasts as long as the poll. */
export function createPollReader<Request>(client: Client<Request>) {
	return {
		call: async (request: Request) => await client.call(request, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
}

/** Calls a node by JSON-RPC, without the cache, because repeating a call should show what has changed. */
export function createRpcReader(client: Client<RpcRequest>, path: ApiPath): RpcReader {
	const { call, shared } = createPollReader(client);
	return {
		call: async (method, params) => await call({ path, method, params, isFresh: true }),
		shared,
	};
}
