import { createHash, randomUUID } from 'node:crypto';

/**
 * Blocks come by the clock and on demand. The number of the newest block is computed from the time and from the
 * blocks on demand.
 */
export interface Clock {
	/** The number and the time of one block. */
	number: number;
	at: number;
	blockTime: number;
	/** The number of blocks on demand since that block. */
	mined: number;
	/** Distinguishes this chain from others. */
	seed: string;
	/** The time in milliseconds. */
	now: () => number;
}

/** The chain is older than the sandbox. */
const FIRST_BLOCK_NUMBER = 70_000_000;

export const createClock = (blockTime: number): Clock => ({
	number: FIRST_BLOCK_NUMBER,
	at: Date.now(),
	blockTime,
	mined: 0,
	seed: randomUUID(),
	now: Date.now,
});

export const getHeadNumber = ({ number, at, blockTime, mined, now }: Clock) =>
	number + mined + Math.floor((now() - at) / blockTime);

/** Continues from the newest block, with another block time. */
export function changePace(clock: Clock, blockTime: number): Clock {
	const number = getHeadNumber(clock) - clock.mined;
	return { ...clock, number, at: getBlockTimestamp(clock, number), blockTime };
}

/** Makes blocks at once; their times run ahead of the clock. */
export const mineBlocks = (clock: Clock, blocks: number): Clock => ({
	...clock,
	mined: clock.mined + blocks,
});

export const getBlockTimestamp = ({ number, at, blockTime }: Clock, wanted: number) =>
	at + (wanted - number) * blockTime;

/** This many blocks on top make a block irreversible: two thirds of the 27 that produce them, and one more. */
export const IRREVERSIBLE_BLOCKS = 19;

export const getSolidNumber = (clock: Clock) => getHeadNumber(clock) - IRREVERSIBLE_BLOCKS;

/** The number is at the beginning of the hash. */
export function buildBlockId({ seed }: Clock, number: number): string {
	const hash = createHash('sha256').update(`${seed} ${number}`).digest('hex');
	return number.toString(16).padStart(16, '0') + hash.slice(16);
}

/** A transaction as a block lists it. */
interface Listed {
	readonly txID: string;
}

export function buildBlock(
	clock: Clock,
	number: number,
	producer: string,
	transactions: readonly Listed[],
) {
	return {
		blockID: buildBlockId(clock, number),
		block_header: {
			raw_data: {
				...(number > 0 && { number }),
				txTrieRoot: buildRoot(transactions),
				witness_address: producer,
				parentHash: number > 0 ? buildBlockId(clock, number - 1) : NO_HASH,
				version: 31,
				timestamp: getBlockTimestamp(clock, number),
			},
			witness_signature: '00'.repeat(65),
		},
		...(transactions.length > 0 && { transactions }),
	};
}

const NO_HASH = '0'.repeat(64);

/** A block without transactions has zeros for the root of their tree. */
function buildRoot(transactions: readonly Listed[]): string {
	if (transactions.length === 0) return NO_HASH;
	const ids = transactions.map(({ txID }) => txID);
	return createHash('sha256').update(ids.join()).digest('hex');
}

const TRANSACTION_LIFETIME_MS = 60_000;

/** Ties a transaction to the newest block, for a minute. */
export function buildReferences(clock: Clock) {
	const number = getHeadNumber(clock);
	return {
		ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
		ref_block_hash: buildBlockId(clock, number).slice(16, 32),
		expiration: getBlockTimestamp(clock, number) + TRANSACTION_LIFETIME_MS,
		timestamp: clock.now(),
	};
}
