import {
	blockAt,
	headerAt,
	headersBetween,
	heightOf,
	ReorgDuringRead,
	type Ask,
	type BlockRef,
	type Header,
} from '../chain/blocks';
import type { LogFilter } from '../chain/logs';
import { asDate, asDecimal, type ChainObject } from '../chain/objects';
import type { LiveView } from './advance';
import { CHECKPOINTS_KEPT, type ChainEvent } from './position';
import { ProvenLogs } from './provenLogs';

/** Every block, in the form that is emitted. */
export function blockView(ask: Ask, form: (block: ChainObject) => ChainObject): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: form(block.json) });
	return {
		emitsRemovals: false,
		blockRef: async (number) => await headerAt(ask, number),
		events: async ({ from, to }) => (await headersBetween(ask, from, to)).map(asEvent),
		eventsIn: async (header) => [asEvent(header)],
	};
}

/** The chain's blocks at the heights of these. What happened may have been read on another branch than they are on. */
export async function onChain(
	ask: Ask,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(numbers.map(async (number) => await blockAt(ask, number)));
	const found = new Map(headers.map((header) => [header.number, header]));
	const stray = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (stray) throw new ReorgDuringRead(stray.number);
	return found;
}

/** Which logs are followed, and what they look like. */
export interface LogChoice {
	/** A log that one of these lets through is followed. */
	readonly filters: readonly LogFilter[];
	/** What is emitted of logs; null for one that is left out. */
	readonly form: LogForm;
	/** Whether the form tells the time of the block. */
	readonly isTimed: boolean;
	/** Hears of a block whose logs may be missing for good. */
	readonly doubt: (block: number) => void;
}

export type LogForm = (
	logs: readonly ChainObject[],
	timeOf: (log: ChainObject) => string | null,
	ask: Ask,
) => Promise<ReadonlyArray<ChainObject | null>>;

/** The logs that filters let through. Asked for by block: a subscription would lose those of an outage. */
export function logView(ask: Ask, { filters, form, isTimed, doubt }: LogChoice): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(ask, filter, doubt));
	const found = async (search: (logs: ProvenLogs) => Promise<readonly ChainObject[]>) =>
		inOrder((await Promise.all(searches.map(search))).flat());

	async function asEvents(logs: readonly ChainObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: ChainObject) => timeIn(log) ?? timeIn(headers.get(blockOf(log))?.json);
		const forms = await form(logs, timeOf, ask);
		return logs.flatMap((log, index): ChainEvent[] => {
			const json = forms[index];
			return json ? [{ block: placeOf(log), json }] : [];
		});
	}

	return {
		emitsRemovals: true,
		blockRef: async (number) => await headerAt(ask, number),
		events: async (range, head) => {
			const logs = await found(async (one) => await one.between(range, head));
			const young = logs.filter((log) => blockOf(log) > head - CHECKPOINTS_KEPT);
			const timeless = isTimed ? logs.filter((log) => timeIn(log) === null) : [];
			return await asEvents(logs, await onChain(ask, [...young, ...timeless].map(placeOf)));
		},
		eventsIn: async (header) => {
			const logs = await found(async (one) => await one.inBlock(header));
			return await asEvents(logs, new Map([[header.number, header]]));
		},
		get distance() {
			return Math.max(...searches.map(({ distance }) => distance));
		},
	};
}

function blockOf({ blockNumber }: ChainObject): number {
	return heightOf(blockNumber);
}

function placeOf(log: ChainObject) {
	return { number: blockOf(log), hash: String(log.blockHash).toLowerCase() };
}

/** Of a block, or of the block that newer nodes tell with each log. */
function timeIn({ timestamp, blockTimestamp }: ChainObject = {}): string | null {
	return asDate(blockTimestamp ?? timestamp);
}

/** Some nodes name a log twice, and two of them may tell more or less of it: it has a place in its transaction once. */
function inOrder(logs: readonly ChainObject[]): ChainObject[] {
	const once = new Map(logs.map((log) => [identity(log), log]));
	return [...once.values()].sort(
		(a, b) => blockOf(a) - blockOf(b) || heightOf(a.logIndex) - heightOf(b.logIndex),
	);
}

/** On some chains the index counts within a transaction. */
function identity({ blockHash, transactionHash, logIndex }: ChainObject): string {
	const names = [blockHash, transactionHash].map((hash) => String(hash).toLowerCase());
	return [...names, asDecimal(logIndex) ?? logIndex].join(' ');
}
