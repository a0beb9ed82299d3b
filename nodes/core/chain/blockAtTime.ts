import { RequestFailure } from '../errors/requestFailure';

/** A block, and when it was made, in Unix seconds. */
export interface TimedBlock {
	readonly number: number;
	readonly time: number;
}

/** Reads when blocks were made, in their order: what the node does not have is undefined, or how it was refused. */
export type ReadTimes = (
	numbers: readonly number[],
) => Promise<ReadonlyArray<number | RequestFailure | undefined>>;

interface MissingBlock {
	readonly number: number;
	readonly failure: RequestFailure | undefined;
}

/** What is known so far: the first block that is late, the last one that is in time, and the last one that is gone. */
interface Search {
	readonly late: TimedBlock;
	readonly early?: TimedBlock;
	readonly missing?: MissingBlock;
}

const STRIDE_FACTOR = 8;

/**
 * Finds the first block after a moment, below one that is later. It looks back in ever longer strides, then interpolates
 * between the times of the surrounding blocks. Where the node has only the latest blocks, it looks for the first of them.
 */
export async function findFirstAfter(
	moment: number,
	later: TimedBlock,
	readTimes: ReadTimes,
): Promise<number> {
	let search: Search = { late: later };
	for (;;) {
		const { late, early, missing } = search;
		if (late.number === 0 || early?.number === late.number - 1) return late.number;
		if (!early && missing?.number === late.number - 1) throw tooOldError(missing, late.number);
		const numbers = chooseBlocks(search, moment);
		const next = narrow(search, numbers, await readTimes(numbers), moment);
		const isStuck = early !== undefined && next.late === late && next.early === early;
		if (isStuck) throw tooOldError(next.missing);
		search = next;
	}
}

function chooseBlocks({ late, early, missing }: Search, moment: number): number[] {
	if (early) return guessBlocks(early, late, moment);
	return missing ? splitBlocks(missing.number, late.number) : buildStrides(late.number);
}

function narrow(
	{ late, early, missing }: Search,
	numbers: readonly number[],
	times: Awaited<ReturnType<ReadTimes>>,
	moment: number,
): Search {
	const timed: TimedBlock[] = early ? [early, late] : [late];
	const gone: MissingBlock[] = missing ? [missing] : [];
	for (const [index, number] of numbers.entries()) {
		const time = times[index];
		if (typeof time === 'number') timed.push({ number, time });
		else gone.push({ number, failure: time });
	}
	timed.sort((one, other) => one.number - other.number);
	const first = timed.findIndex(({ time }) => time > moment);
	const next = timed[first] ?? late;
	const below = gone.filter(({ number }) => number < next.number);
	below.sort((one, other) => one.number - other.number);
	return { late: next, early: timed[first - 1], missing: below.at(-1) };
}

/** Numbers below this one at growing distances, and the first block. */
function buildStrides(from: number): number[] {
	const numbers = [0];
	for (let stride = 1; stride < from; stride *= STRIDE_FACTOR) numbers.push(from - stride);
	return numbers;
}

/** Guesses the block by interpolation, with one a little beside it and the one in the middle. */
function guessBlocks(early: TimedBlock, late: TimedBlock, moment: number): number[] {
	const span = late.number - early.number;
	const share = (moment - early.time) / (late.time - early.time);
	const guess = early.number + Math.floor(span * share);
	const beside = Math.max(1, Math.floor(span / STRIDE_FACTOR ** 2));
	const wanted = [guess - beside, guess, guess + beside, early.number + Math.floor(span / 2)];
	const inside = wanted.map((one) => Math.min(Math.max(one, early.number + 1), late.number - 1));
	return [...new Set(inside)];
}

/** Cuts what lies between two blocks into equal parts. */
function splitBlocks(low: number, high: number): number[] {
	const step = Math.ceil((high - low) / STRIDE_FACTOR);
	const numbers: number[] = [];
	for (let number = low + step; number < high; number += step) numbers.push(number);
	return numbers;
}

function tooOldError(missing: MissingBlock | undefined, kept?: number): RequestFailure {
	if (missing?.failure) return missing.failure;
	const first = kept === undefined ? '' : `: its first one is ${kept}`;
	return new RequestFailure(`The node does not have the blocks from that time${first}`, {
		description: 'It may keep the latest blocks only.',
	});
}
