import { keccak_256 } from '@noble/hashes/sha3';

/** Runs some work, and returns the most processor time in milliseconds between two turns of the loop of this process. */
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

/** A unit takes some 62 ms on a usual machine, and 250 ms are allowed there. */
export const ALLOWED_UNITS = 4;
const TIMES = 5;

/** Returns the gap in units. What blocks n8n does so each time; a busy machine, or the collector of garbage, now and then. */
export async function measureLeastGap(work: () => Promise<unknown>): Promise<number> {
	const gaps: number[] = [];
	do {
		const gap = await measureLongestGap(work);
		gaps.push(gap / measureUnit());
	} while (Math.min(...gaps) >= ALLOWED_UNITS && gaps.length < TIMES);
	return Math.min(...gaps);
}

const MEGABYTE = Buffer.alloc(1_000_000, 7);

/** The processor time in milliseconds that other people's code needs to hash a megabyte: a measure of the machine. */
export function measureUnit(): number {
	const begun = process.cpuUsage();
	keccak_256(MEGABYTE);
	return process.cpuUsage(begun).user / 1000;
}
