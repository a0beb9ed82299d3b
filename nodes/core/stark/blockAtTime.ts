import { nullIfRefused } from '../chain/blocks';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isIndex, findBlock } from './blocks';
import { tryParseFelt } from './felts';

/** A block by its number, with its time in milliseconds since 1970 and the account that takes its fees. */
export interface TimedBlock {
	readonly number: number;
	readonly time: number;
	readonly sequencer: bigint | undefined;
}

/** Reads a block of the chain; null where the node no longer has it. */
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
/** Reading this many blocks more than needed is cheaper than another question. */
const TOLERATED_BLOCKS = 8;

/** The block before is earlier than the time, or is none; the block after is not. */
interface Bounds {
	readonly before: number;
	readonly after: number;
	/** Whether the node no longer has the block before. */
	readonly isLost: boolean;
}

interface Start {
	readonly from: number;
	/** Whether the node has all blocks from the time on. */
	readonly isWhole: boolean;
}

/** Finds the first block from a time on, or one of the few before it; of those that a node has. */
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
	// A block that the node no longer has is an early one.
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

/** Numbers at growing distances before the head. */
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
