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

const MEGABYTE = Buffer.alloc(1_000_000, 7);

/** The processor time in milliseconds that other people's code needs to hash a megabyte: a measure of the machine. */
export function measureUnit(): number {
	const times = Array.from({ length: 3 }, () => {
		const begun = process.cpuUsage();
		keccak_256(MEGABYTE);
		return process.cpuUsage(begun).user / 1000;
	});
	return Math.max(...times);
}
