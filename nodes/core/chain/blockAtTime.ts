import { RequestFailure } from '../errors/requestFailure';
import { rethrow } from '../values/parse';

/** A block and its time in Unix seconds. */
export interface TimedBlock {
	readonly number: number;
	readonly time: number;
}

/** Reads the time of a block, in Unix seconds; undefined if the node does not have the block. */
export type ReadTime = (block: number) => Promise<number | undefined>;

/** A block that the node does not have, or did not return. */
interface MissingBlock {
	readonly number: number;
	readonly failure: RequestFailure | undefined;
}

/**
 * The state of the search for the first block after a moment: the first known block after the moment, the known block
 * before it, and the last missing block between the two.
 */
interface Search {
	readonly late: TimedBlock;
	readonly early?: TimedBlock;
	readonly missing?: MissingBlock;
}

const STRIDE_FACTOR = 8;
/**
 * How many blocks are read at the same time while the search goes back. The blocks lie at growing distances, because
 * nodes answer more slowly for older blocks.
 */
const STRIDES_AT_ONCE = 4;

/**
 * Finds the first block after a moment, at or below a block that is later. The search goes back in growing strides.
 * Then it interpolates between the times of known blocks. If blocks are missing, it also looks above them. Many nodes
 * have only recent blocks, and some of them also have the first block.
 */
export async function findFirstAfter(
	moment: number,
	later: TimedBlock,
	readTime: ReadTime,
): Promise<number> {
	let search: Search = { late: later };
	for (;;) {
		const { late, early, missing } = search;
		if (late.number === 0 || early?.number === late.number - 1) return late.number;
		const read = await readBlocks(chooseBlocks(search, later.number, moment), readTime);
		const next = narrow(search, read, moment);
		const isStuck = [next.late === late, next.early === early, next.missing === missing];
		if (isStuck.every(Boolean)) throw missingBlocksError(missing, late);
		search = next;
	}
}

function chooseBlocks({ late, early, missing }: Search, head: number, moment: number): number[] {
	const above = missing ? splitBlocks(missing.number, late.number) : [];
	if (early) return [...new Set([...above, ...guessBlocks(early, late, moment)])];
	return missing ? above : buildStrides(head, late.number);
}

async function readBlocks(
	numbers: readonly number[],
	readTime: ReadTime,
): Promise<ReadonlyArray<TimedBlock | MissingBlock>> {
	return await Promise.all(
		numbers.map(async (number) => {
			try {
				const time = await readTime(number);
				return time === undefined ? { number, failure: undefined } : { number, time };
			} catch (failure) {
				return failure instanceof RequestFailure ? { number, failure } : rethrow(failure);
			}
		}),
	);
}

function narrow(
	{ late, early, missing }: Search,
	read: ReadonlyArray<TimedBlock | MissingBlock>,
	moment: number,
): Search {
	const all = [...read, late, early, missing].filter((block) => block !== undefined);
	all.sort((one, other) => one.number - other.number);
	const timed = all.filter((block) => 'time' in block);
	const first = timed.findIndex(({ time }) => time > moment);
	const [before, next = late] = [timed[first - 1], timed[first]];
	const lowest = before?.number ?? -1;
	const missingBetween = all
		.filter((block) => 'failure' in block)
		.filter(({ number }) => number > lowest && number < next.number);
	return { late: next, early: before, missing: missingBetween.at(-1) };
}

/** Lists block numbers below the head at growing distances, down to block 0. */
function buildStrides(head: number, late: number): number[] {
	const numbers: number[] = [];
	let stride = Math.max(1, (head - late) * STRIDE_FACTOR);
	while (numbers.length < STRIDES_AT_ONCE && numbers.at(-1) !== 0) {
		numbers.push(Math.max(0, head - stride));
		stride *= STRIDE_FACTOR;
	}
	return numbers;
}

/**
 * Estimates the number of the block by interpolation. Adds the blocks on either side of the estimate, and the middle
 * block.
 */
function guessBlocks(early: TimedBlock, late: TimedBlock, moment: number): number[] {
	const span = late.number - early.number;
	const share = (moment - early.time) / (late.time - early.time);
	const guess = early.number + Math.floor(span * share);
	const beside = Math.max(1, Math.floor(span / STRIDE_FACTOR ** 2));
	const wanted = [guess - beside, guess, guess + beside, early.number + Math.floor(span / 2)];
	return wanted.map((one) => Math.min(Math.max(one, early.number + 1), late.number - 1));
}

/** Lists block numbers that divide the range from `low` to `high` into equal parts. */
function splitBlocks(low: number, high: number): number[] {
	const step = Math.ceil((high - low) / STRIDE_FACTOR);
	const numbers: number[] = [];
	for (let number = low + step; number < high; number += step) numbers.push(number);
	return numbers;
}

function missingBlocksError(
	missing: MissingBlock | undefined,
	{ number }: TimedBlock,
): RequestFailure {
	return (
		missing?.failure ??
		new RequestFailure(
			`The chain node does not have the blocks from the wanted time: its first block is ${number}`,
			{ description: 'The chain node may keep the latest blocks only. Use another chain node.' },
		)
	);
}
