import { createHash } from 'node:crypto';

/** Blocks come by the clock alone: which is the newest follows from the time. */
export interface Clock {
	/** The number and the time of one of them. */
	number: number;
	at: number;
	blockTime: number;
}

/** The chain was there before the sandbox. */
const firstNumber = 70_000_000;

export const freshClock = (blockTime: number): Clock => ({
	number: firstNumber,
	at: Date.now(),
	blockTime,
});

export const headOf = ({ number, at, blockTime }: Clock) =>
	number + Math.floor((Date.now() - at) / blockTime);

/** Goes on from the newest block, at another pace. */
export function repaced(clock: Clock, blockTime: number): Clock {
	const number = headOf(clock);
	return { number, at: timeOf(clock, number), blockTime };
}

const timeOf = ({ number, at, blockTime }: Clock, wanted: number) =>
	at + (wanted - number) * blockTime;

/** So many blocks on top make a block irreversible: two thirds of the 27 that produce them, and one more. */
const irreversible = 19;

export const solidOf = (clock: Clock) => headOf(clock) - irreversible;

/** The number stands at the beginning of the hash. */
export function idOf(number: number): string {
	const hash = createHash('sha256').update(`block ${number}`).digest('hex');
	return number.toString(16).padStart(16, '0') + hash.slice(16);
}

export function block(clock: Clock, number: number, producer: string, transactions: object[]) {
	return {
		blockID: idOf(number),
		block_header: {
			raw_data: {
				number,
				txTrieRoot: '0'.repeat(64),
				witness_address: producer,
				parentHash: idOf(number - 1),
				version: 31,
				timestamp: timeOf(clock, number),
			},
			witness_signature: '00'.repeat(65),
		},
		...(transactions.length > 0 && { transactions }),
	};
}

export const timestampOf = timeOf;

const lifetime = 60_000;

/** What ties a transaction to the newest block, for a minute. */
export function header(clock: Clock) {
	const number = headOf(clock);
	return {
		ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
		ref_block_hash: idOf(number).slice(16, 32),
		expiration: timeOf(clock, number) + lifetime,
		timestamp: Date.now(),
	};
}
