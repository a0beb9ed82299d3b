import { nullIfRefused } from '../chain/blocks';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isIndex, findBlock } from './blocks';
import { tryParseFelt } from './felts';

/** A block with its number, its time in milliseconds since 1970, and the account that gets its fees. */
export interface TimedBlock {
	readonly number: number;
	readonly time: number;
	readonly sequencer: bigint | undefined;
}

/** Reads the time of a block. Returns null if the node no longer has the block. */
export async function readTimedBlock(
	reader: RpcReader,
	number: number,
): Promise<TimedBlock | null> {
	const block = await findBlock(reader, { block_number: number });
	return block && { number, ...parseTimes(block) };
}

export function parseTimes(block: Readonly<Record<string, unknown>>) {
	const { timestamp, sequencer_address: sequencer } = block;
	if (!isIndex(timestamp)) throw invalidResponseError('a block with its time', block);
	return { time: timestamp * 1000, sequencer: tryParseFelt(sequencer) };
}

const STRIDE_FACTOR = 8;
/** The search ends when at most this many blocks may be the wanted block. Reading all of them is cheaper than another request. */
const TOLERATED_BLOCKS = 8;

/** The block `before` is earlier than the wanted time, or is -1. The block `after` is not earlier. */
interface Bounds {
	readonly before: number;
	readonly after: number;
	/** Whether the node no longer has the block `before`. */
	readonly isLost: boolean;
}

interface Start {
	readonly from: number;
	/** Whether the node has all blocks since the wanted time. */
	readonly isWhole: boolean;
}

/**
 * Finds the first block since a time, or a block shortly before it. Blocks that the node no longer has are left out.
 */
export async function findBlockSince(
	reader: RpcReader,
	head: TimedBlock,
	since: number,
): Promise<Start> {
	if (head.time < since) return { from: head.number + 1, isWhole: true };
	const start = { before: -1, after: head.number, isLost: false };
	let found = await probe(reader, start, since, listStrides(start));
	const isWide = ({ before, after, isLost }: Bounds) =>
		after - before > (isLost ? 1 : TOLERATED_BLOCKS);
	while (isWide(found)) found = await probe(reader, found, since, listEvenParts(found));
	return { from: found.before + 1, isWhole: !found.isLost };
}

async function probe(
	reader: RpcReader,
	bounds: Bounds,
	since: number,
	numbers: readonly number[],
): Promise<Bounds> {
	const times = await Promise.all(
		numbers.map(async (number) => {
			const block = await readTimedBlock(reader, number).catch(nullIfRefused);
			return { number, time: block?.time };
		}),
	);
	// A block that the node no longer has counts as earlier than the wanted time.
	const early = times.filter(({ time }) => time === undefined || time < since);
	const last = early.reduce((most, one) => (one.number > most.number ? one : most), {
		number: bounds.before,
		time: bounds.isLost ? undefined : -Infinity,
	});
	const late = times.filter(({ number }) => number > last.number);
	return {
		before: last.number,
		after: late.reduce((least, { number }) => Math.min(least, number), bounds.after),
		isLost: last.time === undefined,
	};
}

/** Lists block numbers at growing distances before the latest block. */
function listStrides({ after }: Bounds): number[] {
	const numbers: number[] = [];
	for (let stride = STRIDE_FACTOR; stride < after; stride *= STRIDE_FACTOR)
		numbers.push(after - stride);
	return numbers;
}

function listEvenParts({ before, after }: Bounds): number[] {
	const step = (after - before) / Math.min(STRIDE_FACTOR, after - before);
	const numbers = Array.from({ length: STRIDE_FACTOR - 1 }, (_, index) =>
		Math.floor(before + (index + 1) * step),
	);
	return numbers.filter((number) => number < after);
}
