import { createHash } from 'node:crypto';

export interface Block {
	number: string;
	hash: Buffer;
	parentHash: Buffer;
	time: { seconds: string; nanos: number };
	transactions: Transaction[];
	labels: Record<string, string>;
}

interface Transaction {
	from: Buffer;
	to: Buffer;
	value: string;
	nonce: string;
	status: number;
}

const GENESIS_SECONDS = 1_600_000_000n;
const BLOCK_SECONDS = 2n;
/**
 * Above this height, block times begin again at the time of the first block. Otherwise their years would have more than
 * four digits.
 */
const MAX_TIMED_BLOCKS = 1_000_000_000n;
const ONE_COIN_WEI = 10n ** 18n;

/** Invents a block, which is always the same for the same number. */
export function buildBlock(number: bigint): Block {
	return {
		number: `${number}`,
		hash: buildBlockHash(number),
		parentHash: number === 0n ? Buffer.alloc(32) : buildBlockHash(number - 1n),
		time: {
			seconds: `${GENESIS_SECONDS + (number % MAX_TIMED_BLOCKS) * BLOCK_SECONDS}`,
			nanos: Number(number % 1000n) * 1_000_000,
		},
		transactions: Array.from({ length: Number(number % 4n) }, (_, index) =>
			buildTransaction(number, index),
		),
		labels: { network: 'sandbox', parity: number % 2n === 0n ? 'even' : 'odd' },
	};
}

/**
 * Returns the number at the beginning of a hash, if the rest of the hash belongs to that number. Otherwise returns
 * undefined.
 */
export function findNumber(hash: Buffer): bigint | undefined {
	if (hash.length !== 32) return undefined;
	const number = hash.readBigUInt64BE();
	return buildBlockHash(number).equals(hash) ? number : undefined;
}

function buildBlockHash(number: bigint): Buffer {
	const hash = hashText(`block ${number}`);
	hash.writeBigUInt64BE(number);
	return hash;
}

function buildTransaction(block: bigint, index: number): Transaction {
	const name = `${block} ${index}`;
	return {
		from: hashText(`from ${name}`).subarray(0, 20),
		to: hashText(`to ${name}`).subarray(0, 20),
		value: `${(block + 1n) * ONE_COIN_WEI + BigInt(index)}`,
		nonce: `${BigInt.asUintN(64, block + BigInt(index))}`,
		status: 1 + (index % 2),
	};
}

const hashText = (text: string) => createHash('sha256').update(text).digest();
