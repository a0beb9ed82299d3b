import { keccak_256 } from '@noble/hashes/sha3';

/** Runs some work. Returns the most processor time in milliseconds that passed between two turns of the event loop. */
export async function measureLongestGap(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	let begun = process.cpuUsage();
	const look = () => {
		const { user, system } = process.cpuUsage(begun);
		longest = Math.max(longest, (user + system) / 1000);
		begun = process.cpuUsage();
		if (!isOver) setImmediate(look);
	};
	setImmediate(look);
	await work();
	await new Promise(setImmediate);
	isOver = true;
	await new Promise(setImmediate);
	return longest;
}

/**
 * The longest gap that tests allow, in units of `measureUnit`. Such a unit takes about 62 ms on a common machine, so
 * the limit is about 250 ms there.
 */
export const ALLOWED_UNITS = 4;
const TIMES = 5;

/**
 * Returns the shortest of several gaps, in units of `measureUnit`. Code that blocks n8n has a long gap each time. A
 * busy machine has a long gap only sometimes.
 */
export async function measureLeastGap(work: () => Promise<unknown>): Promise<number> {
	const gaps: number[] = [];
	do {
		const gap = await measureLongestGap(work);
		gaps.push(gap / measureUnit());
	} while (Math.min(...gaps) >= ALLOWED_UNITS && gaps.length < TIMES);
	return Math.min(...gaps);
}

const MEGABYTE = Buffer.alloc(1_000_000, 7);

/**
 * Measures the speed of the machine: the processor time in milliseconds that the function `keccak_256` needs to hash
 * one megabyte.
 */
export function measureUnit(): number {
	const begun = process.cpuUsage();
	keccak_256(MEGABYTE);
	return process.cpuUsage(begun).user / 1000;
}
