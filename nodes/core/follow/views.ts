import {
	blockAt,
	headerAt,
	headersBetween,
	heightOf,
	ReorgDuringRead,
	type BlockRef,
	type Header,
} from '../chain/blocks';
import { distinctLogs, type LogFilter } from '../chain/logs';
import { asDate, type ChainObject } from '../chain/objects';
import type { ChainReader } from '../rpc/chain';
import type { LiveView } from './advance';
import { CHECKPOINTS_KEPT, type ChainEvent } from './position';
import { ProvenLogs } from './provenLogs';

/** Every block, in the form that is emitted. */
export function blockView(chain: ChainReader, form: (block: ChainObject) => ChainObject): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: form(block.json) });
	return {
		emitsRemovals: false,
		blockRef: async (number) => await headerAt(chain, number),
		events: async ({ from, to }) => (await headersBetween(chain, from, to)).map(asEvent),
		eventsIn: async (header) => [asEvent(header)],
	};
}

/** The chain's blocks at the heights of these. What happened may have been read on another branch than they are on. */
export async function onChain(
	chain: ChainReader,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(numbers.map(async (number) => await blockAt(chain, number)));
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
	chain: ChainReader,
) => Promise<ReadonlyArray<ChainObject | null>>;

/** The logs that filters let through. Asked for by block: a subscription would lose those of an outage. */
export function logView(
	chain: ChainReader,
	{ filters, form, isTimed, doubt }: LogChoice,
): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(chain, filter, doubt));
	const found = async (search: (logs: ProvenLogs) => Promise<readonly ChainObject[]>) =>
		distinctLogs((await Promise.all(searches.map(search))).flat());

	async function asEvents(logs: readonly ChainObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: ChainObject) => timeIn(log) ?? timeIn(headers.get(blockOf(log))?.json);
		const forms = await form(logs, timeOf, chain);
		return logs.flatMap((log, index): ChainEvent[] => {
			const json = forms[index];
			return json ? [{ block: placeOf(log), json }] : [];
		});
	}

	return {
		emitsRemovals: true,
		blockRef: async (number) => await headerAt(chain, number),
		events: async (range, head) => {
			const logs = await found(async (one) => await one.between(range, head));
			const young = logs.filter((log) => blockOf(log) > head - CHECKPOINTS_KEPT);
			const timeless = isTimed ? logs.filter((log) => timeIn(log) === null) : [];
			return await asEvents(logs, await onChain(chain, [...young, ...timeless].map(placeOf)));
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
