import { InvalidInput } from '../errors/invalidInput';
import { NodeLagging } from '../errors/nodeLagging';
import { raise } from '../errors/raise';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { catching, InvalidValue, isRecord, rethrow } from '../values/parse';
import { formatDecimal, parseDecimal, type Decimal } from '../values/units';
import type { ChainIdentity } from './blocks';
import { INITIAL_STATE, passReading, type CrossingState, type StartCondition } from './crossing';
import { belongsToChain } from './cursor';
import type { FollowedChain, ChainPart, PresentChain, Saved, Step } from './follow';
import { formatCrossing, formatPresent, type MeasuredValue } from './valueText';

/** A point on the chain at which a value is read. */
export interface Place {
	readonly chain: ChainIdentity;
	/** The height of the chain, such as the block number, which only grows. */
	readonly height: number;
	/** The block number to show to the user; null if the chain has no block numbers that people know. */
	readonly blockNumber: number | null;
	/** The hash of the block. With the same hash, the value is the same. Null if the value may change within a block. */
	readonly hash: string | null;
	/** In Unix milliseconds. */
	readonly time: number;
}

/** Reads a value from a chain. Each family has its own implementation. Failures are thrown, and never become values. */
export interface ValueReader {
	/**
	 * The number of confirmations, or the finality, that a block needs. After the user changes it, the last block that
	 * counts may be older than before.
	 */
	readonly finality: string;
	/**
	 * Reads the last block that has the wanted confirmations or finality; null if there is none yet. Throws NodeLagging
	 * if the node does not have the block.
	 */
	readPlace(): Promise<Place | null>;
	/** Reads the value. The result has a `place` if the chain moved on during the reading. */
	readValue(place: Place): Promise<MeasuredValue & { readonly place?: Place }>;
}

/** What the user watches. */
export interface WatchedValue {
	readonly measure: string;
	readonly condition: StartCondition;
}

interface Reading {
	readonly value: Decimal;
	readonly blockNumber: number | null;
}

/** The state that is saved between two polls of a value. */
export interface ValuePosition extends CrossingState<Reading> {
	readonly chain: ChainIdentity;
	/** The point of the last reading; null before the first reading. */
	readonly last: (Pick<Place, 'height' | 'hash' | 'time'> & { readonly finality: string }) | null;
	/** Since when the node has been behind the last reading, in Unix milliseconds; null if it is not behind. */
	readonly behindSince: number | null;
}

/** Makes a trigger read a value once in each poll. */
export function followValue(
	reader: ValueReader,
	watched: WatchedValue,
): FollowedChain<ValuePosition> {
	return {
		storage: VALUE_STORAGE,
		startsAtPresent: true,
		formatPlace: () => 'the present value',
		readPresent: async () => await readPresent(reader, watched),
		searchBack: () => readSample(reader, watched),
	};
}

async function readPresent(
	reader: ValueReader,
	watched: WatchedValue,
): Promise<PresentChain<ValuePosition> | null> {
	const place = await readTimedPlace(reader).catch(asLagging);
	if (place === null) return null;
	const begin = () =>
		place instanceof NodeLagging
			? null
			: { ...INITIAL_STATE, chain: place.chain, last: null, behindSince: null };
	return {
		isSameChain: (before) => place instanceof NodeLagging || isSameChain(before, place),
		begin,
		beginAt: async () => await Promise.resolve(begin()),
		readOn: (before) => readOn(reader, watched, before, place),
		throwIfLate: ({ behindSince }, failure) => {
			if (failure !== undefined) throw failure;
			throwIfBehindForLong(behindSince);
		},
	};
}

/** Dates reach no further. */
const MAX_TIME_MS = 8_640_000_000_000_000;

async function readTimedPlace(reader: ValueReader): Promise<Place | null> {
	const place = await reader.readPlace();
	const isTimed = !place || (Number.isSafeInteger(place.time) && place.time <= MAX_TIME_MS);
	return isTimed ? place : raise(invalidResponseError('a block with its time', place.time));
}

function asLagging(failure: unknown): NodeLagging {
	return failure instanceof NodeLagging ? failure : rethrow(failure);
}

function isSameChain({ chain, last }: ValuePosition, place: Place): boolean {
	const highest = last?.height ?? 0;
	return belongsToChain({ chain, cursor: { highest } }, place.chain, { number: place.height });
}

/**
 * Reads the value after the last reading. Yields no value if the node is behind the last reading, because its state
 * is older.
 */
async function* readOn(
	reader: ValueReader,
	watched: WatchedValue,
	before: ValuePosition,
	place: Place | NodeLagging,
): AsyncGenerator<Step<ValuePosition>> {
	const measured = await readUnlessBehind(reader, before, place);
	if (measured === 'same') {
		if (before.behindSince !== null)
			yield { position: { ...before, behindSince: null }, items: [], blocks: 0 };
	} else if (measured === 'behind') {
		const behindSince = getTimeBehind(before, place);
		// After the user has changed the finality, the last block that meets it may be older than before. The node does not
		// lag then.
		const isExpected = before.last !== null && before.last.finality !== reader.finality;
		if (before.behindSince === null && !isExpected)
			yield { position: { ...before, behindSince }, items: [], blocks: 0 };
	} else {
		yield takeReading({ ...watched, finality: reader.finality }, before, measured);
	}
}

interface Measured {
	readonly place: Place;
	readonly found: MeasuredValue;
}

async function readUnlessBehind(
	reader: ValueReader,
	{ last }: ValuePosition,
	place: Place | NodeLagging,
): Promise<Measured | 'same' | 'behind'> {
	if (place instanceof NodeLagging || (last && place.height < last.height)) return 'behind';
	if (last && place.hash !== null && place.hash === last.hash) return 'same';
	const found = await reader.readValue(place).catch(asLagging);
	return found instanceof NodeLagging ? 'behind' : { place: found.place ?? place, found };
}

function takeReading(
	{ measure, condition, finality }: WatchedValue & Pick<ValueReader, 'finality'>,
	before: ValuePosition,
	{ place, found }: Measured,
): Step<ValuePosition> {
	const { chain, height, blockNumber, hash, time } = place;
	const reading = { value: found.value, blockNumber };
	const { starts, state } = passReading(condition, before, reading);
	const previous = before.compared;
	const texts = formatCrossing(condition, found, previous?.value ?? null);
	const item = {
		...texts,
		measure,
		blockNumber,
		previousBlockNumber: previous?.blockNumber ?? null,
		timestamp: new Date(time).toISOString(),
	};
	return {
		position: { ...state, chain, last: { height, hash, time, finality }, behindSince: null },
		items: starts ? [sortKeys(item)] : [],
		blocks: 0,
	};
}

/** Sorts the keys into the order in which people read them. */
function sortKeys(item: JsonObject): JsonObject {
	return Object.fromEntries(ITEM_KEYS.map((key) => [key, item[key]]));
}

const ITEM_KEYS = [
	'summary',
	'measure',
	'compare',
	'threshold',
	'value',
	'previous',
	'unit',
	'blockNumber',
	'previousBlockNumber',
	'timestamp',
] as const;

/** An error is thrown if a node is behind the last reading for longer than this. */
const TOLERATED_MS = 600_000;

/**
 * Returns since when a node has been behind: since now, or for as long as its last block is older than the last
 * reading.
 */
function getTimeBehind({ last }: ValuePosition, place: Place | NodeLagging): number {
	const lag = place instanceof NodeLagging || !last ? 0 : last.time - place.time;
	return Date.now() - Math.max(0, lag);
}

function throwIfBehindForLong(behindSince: number | null): void {
	if (behindSince === null) return;
	const behind = Date.now() - behindSince;
	if (behind <= TOLERATED_MS) return;
	throw new RequestFailure(
		`For ${Math.floor(behind / 60_000)} minutes, the chain node has lacked blocks that it had before`,
		{ description: 'The trigger reads the value again as soon as the chain node has caught up.' },
	);
}

/** Yields the present value as a sample, whether or not it meets the condition. */
async function* readSample(
	reader: ValueReader,
	{ measure, condition }: WatchedValue,
): AsyncGenerator<ChainPart> {
	const place = await readTimedPlace(reader);
	if (!place) {
		throw new InvalidInput(
			"No block has as many confirmations yet as the option 'Confirmations' demands",
			'Lower the option, or wait until the chain has more blocks.',
		);
	}
	const found = await reader.readValue(place);
	const { blockNumber, time } = found.place ?? place;
	const item = {
		...formatPresent(condition, found),
		measure,
		blockNumber,
		previousBlockNumber: null,
		timestamp: new Date(time).toISOString(),
	};
	yield { items: [sortKeys(item)], blocks: 0 };
}

/** Saves the position in n8n's static data. Values are saved as text, so that they stay exact. */
const VALUE_STORAGE: FollowedChain<ValuePosition>['storage'] = {
	parse: ({ saved }) => (isRecord(saved) ? parsePosition(saved) : undefined),
	format: ({ compared, ...saved }) => ({
		saved: {
			...saved,
			compared: compared && { ...compared, value: formatDecimal(compared.value) },
		},
	}),
};

/** Imported workflows may bring anything. */
function parsePosition(saved: JsonObject): Saved<ValuePosition> | undefined {
	const { watched, chain, isArmed, compared, last, behindSince } = saved;
	const place = last === null ? null : parseLast(last);
	const reading = compared === null ? null : parseReading(compared);
	const isWhole =
		typeof watched === 'string' &&
		isRecord(chain) &&
		typeof chain.id === 'string' &&
		typeof isArmed === 'boolean' &&
		place !== undefined &&
		reading !== undefined;
	if (!isWhole) return undefined;
	return {
		watched,
		chain: {
			id: chain.id as string,
			first: typeof chain.first === 'string' ? chain.first : null,
		},
		isArmed,
		compared: reading,
		last: place,
		behindSince: Number.isSafeInteger(behindSince) ? (behindSince as number) : null,
	};
}

function parseLast(given: unknown): ValuePosition['last'] | undefined {
	if (!isRecord(given)) return undefined;
	const { height, hash, time, finality } = given;
	const isWhole =
		Number.isSafeInteger(height) &&
		Number.isSafeInteger(time) &&
		typeof finality === 'string' &&
		(hash === null || typeof hash === 'string');
	return isWhole ? { height: height as number, hash, time: time as number, finality } : undefined;
}

function parseReading(given: unknown): Reading | undefined {
	if (!isRecord(given) || typeof given.value !== 'string') return undefined;
	const text = given.value;
	const value = catching(InvalidValue, () => parseDecimal(text));
	if (value instanceof InvalidValue) return undefined;
	const { blockNumber } = given;
	return { value, blockNumber: Number.isSafeInteger(blockNumber) ? (blockNumber as number) : null };
}
