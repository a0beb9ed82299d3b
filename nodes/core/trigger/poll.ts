import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RpcReader } from '../chain/reader';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice, withoutSecrets } from '../errors/requestFailure';
import type { Client, Connect } from '../operation/client';
import {
	createParameterSource,
	type ParameterSource,
	createParameterParser,
} from '../operation/parameters';
import type { ApiPath } from '../operation/path';
import { Stop } from '../net/pacing/stop';
import type { RpcRequest } from '../protocols/rpc/request';
import type { JsonObject } from '../values/json';
import { rethrow } from '../values/parse';
import { copyItems } from './executions';
import { readNews, type Watch, waitForPreparation } from './news';
import { createShared } from '../net/pacing/shared';
import type { FollowedChain } from '../chain/follow';
import { InvalidInput } from '../errors/invalidInput';
import type { Field } from '../operation/field';
import { parseChosenEvent, type ChosenEvent, type TriggerEvent } from './triggerEvent';
import type { ValuePosition } from '../chain/watchedValue';

interface Polling<Request> {
	readonly connect: Connect<Request, IPollFunctions>;
	/** Reads the trigger's parameters, and creates the search for events. */
	createSearch(client: Client<Request>, source: ParameterSource): Search | Promise<Search>;
	/** Returns advice for the user about a failure. */
	advise(failure: RequestFailure): string | undefined;
}

/** The search of a poll. Only the search reads and writes the saved position. */
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
 * Polls once. Returns new items, or null if there are none, so that n8n starts no execution. In the editor, it
 * returns the latest event.
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
/** The share of a poll's time in which new ranges are read. The rest of the time is for finishing the last range. */
const READING_SHARE = 0.8;

/**
 * Returns the time until which a poll that begins now may read new ranges. Older versions of n8n set no limit for
 * polls.
 */
function getPollDeadline(context: IPollFunctions): number {
	return Date.now() + (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * READING_SHARE;
}

/** Creates a reader for one poll, whose shared values last as long as the poll. */
export function createPollReader<Request>(client: Client<Request>) {
	return {
		call: async (request: Request) => await client.call(request, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
}

/**
 * Creates a reader for JSON-RPC that does not use cached answers, because repeated calls must show what has changed.
 */
export function createRpcReader(client: Client<RpcRequest>, path: ApiPath): RpcReader {
	const { call, shared } = createPollReader(client);
	return {
		call: async (method, params) => await call({ path, method, params, isFresh: true }),
		shared,
	};
}

/** An event that a polling trigger can search for. */
export interface PollEvent<Source, View> extends TriggerEvent<Source, View> {
	readonly sample: Sample;
}

/** How to find and describe the latest event, which is shown while a workflow is built. */
export interface Sample {
	/** How many blocks to search for the latest event. By default, as many as a poll may read. */
	readonly maxBlocks?: number;
	/** The beginning of an error message that says what was not found. */
	readonly none: string;
	/** The fields that the user should check if nothing was found. */
	readonly check: string;
}

/** Returns the event that the user chose, with its parameters and its sample. */
export function choosePollEvent<Source, View>(
	source: ParameterSource,
	menu: Field,
	events: Readonly<Record<string, PollEvent<Source, View>>>,
): ChosenEvent<Source, View> & Pick<PollEvent<Source, View>, 'sample'> {
	const { parseChoice, sample } = parseChosenEvent(source, menu, events);
	return { ...parseChoice(source), sample };
}

/** The search for the latest event. `maxBlocks` is the option Max Blocks Per Poll, if the trigger has it. */
interface SampleSearch {
	readonly followed: Pick<FollowedChain<never>, 'searchBack'>;
	readonly sample: Sample;
	readonly maxBlocks?: number;
	prepare?(): Promise<void>;
}

/** Finds the latest event, as a sample for the person who builds the workflow. */
export async function readSample(
	{ followed, sample, maxBlocks, prepare }: SampleSearch,
	deadline: number,
): Promise<JsonObject> {
	if (!(await waitForPreparation(prepare, deadline))) throw notPreparedError();
	const reach = { blocks: sample.maxBlocks ?? maxBlocks ?? Infinity, deadline };
	let searched = 0;
	for await (const { items, blocks } of followed.searchBack(reach)) {
		const latest = items.at(-1);
		if (latest) return latest;
		searched += blocks;
		reach.blocks -= blocks;
		if (reach.blocks <= 0 || Date.now() >= deadline) break;
	}
	throw noSampleError(sample, maxBlocks && searched);
}

function notPreparedError(): InvalidInput {
	return new InvalidInput(
		'The addresses of the account key are still being computed',
		"Try again in a minute, or lower 'Address Count' while you build the workflow.",
	);
}

function noSampleError({ none, check }: Sample, searchedBlocks: number | undefined): InvalidInput {
	const isLimited = searchedBlocks !== undefined;
	const further = isLimited
		? ", or raise the option 'Max Blocks Per Poll' to search further back"
		: '';
	return new InvalidInput(
		isLimited ? `${none} ${searchedBlocks} blocks` : none,
		`Check ${check}${further}. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}

/** Whether the user chose the event Value, which reads the present value instead of searching blocks. */
export function isValueChosen(source: ParameterSource, menu: Field): boolean {
	return createParameterParser(source, [menu])(0)[menu.name] === 'value';
}

/** Builds the search for the event Value. There is always a sample: the present value. */
export function buildValueSearch<Source>(
	value: TriggerEvent<Source, FollowedChain<ValuePosition>>,
	source: ParameterSource,
	viewSource: Source,
) {
	const { createView, ...choice } = value.parseChoice(source);
	const sample = { none: 'No value was read', check: 'the fields' };
	return buildSearch({ ...choice, followed: createView(viewSource), sample });
}
