import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice, withoutSecrets } from '../errors/requestFailure';
import { getNodeCredentialType } from '../nodeCredentials';
import type { Client, Connect } from '../operation/client';
import type { ApiPath } from '../operation/path';
import { createShared } from '../operation/results';
import { Stop } from '../net/pacing/stop';
import type { RpcReader } from '../chain/reader';
import type { RpcRequest } from '../protocols/rpc/request';
import { rethrow } from '../values/parse';
import { copyItems } from './executions';

/** An item that a poll emits. */
export type Item = Readonly<Record<string, unknown>>;

interface Polling<Request, Search> {
	readonly connect: Connect<Request, IPollFunctions>;
	/** Reads from the parameters what a poll looks for. */
	createSearch(client: Client<Request>): Search | Promise<Search>;
	/** Reads the latest event, as a sample for the person who builds the workflow. */
	readSample(search: Search, deadline: number): Promise<Item>;
	/** Reads what is new since the last poll. */
	readNews(search: Search, deadline: number): Promise<readonly Item[]>;
	/** Says what the user can do about a failure. */
	advise(failure: RequestFailure): string | undefined;
}

/** Polls once. Returns what is new, or null: n8n starts no execution then. */
export async function runPoll<Request, Search>(
	context: IPollFunctions,
	polling: Polling<Request, Search>,
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

async function readItems<Request, Search>(
	context: IPollFunctions,
	client: Client<Request>,
	{ createSearch, readSample, readNews }: Polling<Request, Search>,
): Promise<readonly Item[]> {
	const deadline = getPollDeadline(context);
	const search = await createSearch(client);
	return context.getMode() === 'manual'
		? [await readSample(search, deadline)]
		: await readNews(search, deadline);
}

const DEFAULT_BUDGET_MS = 60_000;
/** The rest of the time is for the range that is under way then. */
const READING_SHARE = 0.8;

/** When a poll that begins now must have read enough. Older versions of n8n set no limit. */
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

/** Calls a node by JSON-RPC. The cache is passed over: the same call again is meant to see what has changed. */
export function createRpcReader(client: Client<RpcRequest>, path: ApiPath): RpcReader {
	const { call, shared } = createPollReader(client);
	return {
		call: async (method, params) => await call({ path, method, params, isFresh: true }),
		shared,
	};
}

/** A trigger's part of n8n's static data. */
interface Storage<Saved> {
	/** All that n8n stores for the node. */
	readonly data: unknown;
	/** Returns undefined for what is not of this kind, as before the first poll. */
	load(): Saved | undefined;
	save(saved: Saved): void;
}

export type PollStorage<Saved> = ReturnType<typeof createPollStorage<Saved>>;

/**
 * What n8n stores for the node from poll to poll. A poll may begin while the last one is still going: the first
 * to end replaces what it began from, and the other one gives up.
 */
export function createPollStorage<Saved>(
	context: IPollFunctions,
	{ data, load, save }: Storage<Saved>,
) {
	const before = JSON.stringify(data);
	/** Returns false and changes nothing if another poll has come first. */
	const replace = (next: Saved): boolean => {
		if (JSON.stringify(data) !== before) return false;
		save(next);
		return true;
	};
	return {
		saved: load(),
		replace,
		/** Replaces it together with what is emitted, as soon as n8n can store that. */
		replaceWith: async (next: Saved, emitted: readonly unknown[]): Promise<boolean> => {
			if (emitted.length > 0) await checkDatabase(context);
			return replace(next);
		},
	};
}

/** n8n does not say whether it can store an execution. That it finds the credential is the best sign of it. */
async function checkDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(getNodeCredentialType(context));
}
