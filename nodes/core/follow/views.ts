import {
	readRequiredHeader,
	readHeader,
	readHeaders,
	parseBlockNumber,
	ReorgDuringRead,
	type BlockRef,
	type Header,
} from '../evm/blocks';
import { sortDistinctLogs, type LogFilter } from '../evm/logs';
import { quantityToIsoDate, type ChainObject } from '../evm/objects';
import type { ChainReader } from '../transport/rpc/chain';
import type { LiveView } from './advance';
import { MAX_CHECKPOINTS, type ChainEvent } from './cursor';
import { ProvenLogs } from './provenLogs';

/** Every block, in the form that is emitted. */
export function createBlockView(
	chain: ChainReader,
	format: (block: ChainObject) => ChainObject,
): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: format(block.json) });
	return {
		emitsRemovals: false,
		readBlockRef: async (number) => await readHeader(chain, number),
		readEvents: async ({ from, to }) => (await readHeaders(chain, from, to)).map(asEvent),
		readBlockEvents: async (header) => [asEvent(header)],
	};
}

/** The chain's blocks at these heights. What happened may have been read on another branch than theirs. */
export async function readCanonicalHeaders(
	chain: ChainReader,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(
		numbers.map(async (number) => await readRequiredHeader(chain, number)),
	);
	const found = new Map(headers.map((header) => [header.number, header]));
	const orphan = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (orphan) throw new ReorgDuringRead(orphan.number);
	return found;
}

/** Which logs are followed, and what they look like. */
interface LogViewOptions {
	/** A log that matches one of these is followed. */
	readonly filters: readonly LogFilter[];
	/** Makes the items of each log: mostly one, and none where it is left out. */
	readonly format: FormatLogs;
	/** Whether the items hold the time of the block. */
	readonly isTimed: boolean;
	/** Reports a block whose logs may be missing for good. */
	readonly reportDoubt: (block: number) => void;
}

export type FormatLogs = (
	logs: readonly ChainObject[],
	timeOf: (log: ChainObject) => string | null,
	chain: ChainReader,
) => Promise<ReadonlyArray<readonly ChainObject[]>>;

/** The logs that match the filters. They are asked for by block: a subscription would lose those of an outage. */
export function createLogView(
	chain: ChainReader,
	{ filters, format, isTimed, reportDoubt }: LogViewOptions,
): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(chain, filter, reportDoubt));
	const search = async (read: (logs: ProvenLogs) => Promise<readonly ChainObject[]>) =>
		sortDistinctLogs((await Promise.all(searches.map(read))).flat());

	async function asEvents(logs: readonly ChainObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: ChainObject) =>
			getBlockTime(log) ?? getBlockTime(headers.get(getBlockNumber(log))?.json);
		const items = await format(logs, timeOf, chain);
		return logs.flatMap((log, index) => {
			const block = getBlockRef(log);
			return (items[index] ?? []).map((json): ChainEvent => ({ block, json }));
		});
	}

	return {
		emitsRemovals: true,
		readBlockRef: async (number) => await readHeader(chain, number),
		readEvents: async (range, head) => {
			const logs = await search(async (one) => await one.readBetween(range, head));
			const young = logs.filter((log) => getBlockNumber(log) > head.number - MAX_CHECKPOINTS);
			const timeless = isTimed ? logs.filter((log) => getBlockTime(log) === null) : [];
			return await asEvents(
				logs,
				await readCanonicalHeaders(chain, [...young, ...timeless].map(getBlockRef)),
			);
		},
		readBlockEvents: async (header) => {
			const logs = await search(async (one) => await one.readInBlock(header));
			return await asEvents(logs, new Map([[header.number, header]]));
		},
	};
}

function getBlockNumber({ blockNumber }: ChainObject): number {
	return parseBlockNumber(blockNumber);
}

function getBlockRef(log: ChainObject) {
	return { number: getBlockNumber(log), hash: String(log.blockHash).toLowerCase() };
}

/** The time of a block, or of a log's block, which newer nodes give with each log. */
function getBlockTime({ timestamp, blockTimestamp }: ChainObject = {}): string | null {
	return quantityToIsoDate(blockTimestamp ?? timestamp);
}
