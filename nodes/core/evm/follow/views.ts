import type { ChainView } from '../../chain/advance';
import type { RpcReader } from '../../chain/reader';
import {
	readRequiredHeader,
	readHeader,
	readHeaders,
	parseBlockNumber,
	type Header,
} from '../blocks';
import { sortDistinctLogs, type LogFilter } from '../logs';
import { quantityToIsoDate } from '../chainObjects';
import { ReorgDuringRead, type BlockRef } from '../../chain/blocks';
import type { JsonObject } from '../../values/json';
import { MAX_CHECKPOINTS, type ChainEvent } from '../../chain/cursor';
import { ProvenLogs } from './provenLogs';

/** A view of a chain whose blocks are read when the node announces them. */
export interface LiveView extends ChainView {
	/** What happened in a block that was just announced. */
	readBlockEvents(header: Header): Promise<readonly ChainEvent[]>;
}

/** Creates a view of all blocks, each in the form that the trigger emits. */
export function createBlockView(
	reader: RpcReader,
	format: (block: JsonObject) => JsonObject,
): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: format(block.json) });
	return {
		emitsRemovals: false,
		readBlockRef: async (number) => await readHeader(reader, number),
		readEvents: async ({ from, to }) => (await readHeaders(reader, from, to)).map(asEvent),
		readBlockEvents: async (header) => [asEvent(header)],
	};
}

/** Reads the headers of blocks by their numbers. Throws if the chain has replaced a block from which an event was read. */
export async function readCanonicalHeaders(
	reader: RpcReader,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(
		numbers.map(async (number) => await readRequiredHeader(reader, number)),
	);
	const found = new Map(headers.map((header) => [header.number, header]));
	const orphan = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (orphan) throw new ReorgDuringRead(orphan.number);
	return found;
}

/** Options for the logs that a trigger follows, and for their form. */
interface LogViewOptions {
	/** A log that matches one of these is followed. */
	readonly filters: readonly LogFilter[];
	/** Whether a log that matches a filter is followed. By default, every such log is followed. */
	readonly isWanted?: (log: JsonObject) => boolean;
	/** Makes the items of each log: usually one, and none if the log is left out. */
	readonly format: FormatLogs;
	/** Whether the items of a log contain the time of its block. */
	readonly isTimed: boolean;
	/** Reports a block whose logs may be missing for good. */
	readonly reportDoubt: (block: number) => void;
}

export type FormatLogs = (
	logs: readonly JsonObject[],
	timeOf: (log: JsonObject) => string | null,
	reader: RpcReader,
) => Promise<ReadonlyArray<readonly JsonObject[]>>;

/**
 * Creates a view of the logs that match the filters. It requests logs by block, because a subscription would lose the
 * logs of an outage.
 */
export function createLogView(
	reader: RpcReader,
	{ filters, isWanted = () => true, format, isTimed, reportDoubt }: LogViewOptions,
): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(reader, filter, reportDoubt));
	const search = async (read: (logs: ProvenLogs) => Promise<readonly JsonObject[]>) =>
		sortDistinctLogs((await Promise.all(searches.map(read))).flat().filter(isWanted));

	async function asEvents(logs: readonly JsonObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: JsonObject) =>
			getBlockTime(log) ?? getBlockTime(headers.get(getBlockNumber(log))?.json);
		const items = await format(logs, timeOf, reader);
		return logs.flatMap((log, index) => {
			const block = getBlockRef(log);
			return (items[index] ?? []).map((json): ChainEvent => ({ block, json }));
		});
	}

	return {
		emitsRemovals: true,
		readBlockRef: async (number) => await readHeader(reader, number),
		readEvents: async (range, head) => {
			const logs = await search(async (one) => await one.readBetween(range, head));
			const young = logs.filter((log) => getBlockNumber(log) > head.number - MAX_CHECKPOINTS);
			const timeless = isTimed ? logs.filter((log) => getBlockTime(log) === null) : [];
			return await asEvents(
				logs,
				await readCanonicalHeaders(reader, [...young, ...timeless].map(getBlockRef)),
			);
		},
		readBlockEvents: async (header) => {
			const logs = await search(async (one) => await one.readInBlock(header));
			return await asEvents(logs, new Map([[header.number, header]]));
		},
	};
}

function getBlockNumber({ blockNumber }: JsonObject): number {
	return parseBlockNumber(blockNumber);
}

function getBlockRef(log: JsonObject) {
	return { number: getBlockNumber(log), hash: String(log.blockHash).toLowerCase() };
}

/** Returns the time of a block, or of a log's block. Only newer nodes give a log its time. */
function getBlockTime({ timestamp, blockTimestamp }: JsonObject = {}): string | null {
	return quantityToIsoDate(blockTimestamp ?? timestamp);
}
