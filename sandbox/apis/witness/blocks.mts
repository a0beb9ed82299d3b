import { createHash, randomUUID } from 'node:crypto';

/** The clock of the chain. A block comes after each block time, and the control server can add blocks at once. */
export interface Clock {
	/** The number of a block, and its time in `at`. Later blocks are computed from them. */
	number: number;
	at: number;
	blockTime: number;
	/** The number of blocks that the control server has added since the block `number`. */
	mined: number;
	/** A random text that makes the hashes of this chain differ from those of others. */
	seed: string;
	/** The time in milliseconds. */
	now: () => number;
}

/** The number of the first block of the sandbox. It is high because the chain pretends to be old. */
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

/** Changes the block time. The chain continues from its newest block. */
export function changePace(clock: Clock, blockTime: number): Clock {
	const number = getHeadNumber(clock) - clock.mined;
	return { ...clock, number, at: getBlockTimestamp(clock, number), blockTime };
}

/** Adds blocks at once. Their times are later than the clock. */
export const mineBlocks = (clock: Clock, blocks: number): Clock => ({
	...clock,
	mined: clock.mined + blocks,
});

export const getBlockTimestamp = ({ number, at, blockTime }: Clock, wanted: number) =>
	at + (wanted - number) * blockTime;

/**
 * A block with this many later blocks is irreversible: more than two thirds of the 27 block producers have confirmed
 * it.
 */
export const IRREVERSIBLE_BLOCKS = 19;

export const getSolidNumber = (clock: Clock) => getHeadNumber(clock) - IRREVERSIBLE_BLOCKS;

/** Builds the hash of a block, which begins with its number. */
export function buildBlockId({ seed }: Clock, number: number): string {
	const hash = createHash('sha256').update(`${seed} ${number}`).digest('hex');
	return number.toString(16).padStart(16, '0') + hash.slice(16);
}

/** A transaction in the list of a block. */
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

/** Builds the root of the transaction tree. It consists of zeros for a block without transactions. */
function buildRoot(transactions: readonly Listed[]): string {
	if (transactions.length === 0) return NO_HASH;
	const ids = transactions.map(({ txID }) => txID);
	return createHash('sha256').update(ids.join()).digest('hex');
}

const TRANSACTION_LIFETIME_MS = 60_000;

/** Builds the fields that tie a transaction to the newest block and let it live for a minute. */
export function buildReferences(clock: Clock) {
	const number = getHeadNumber(clock);
	return {
		ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
		ref_block_hash: buildBlockId(clock, number).slice(16, 32),
		expiration: getBlockTimestamp(clock, number) + TRANSACTION_LIFETIME_MS,
		timestamp: clock.now(),
	};
}
