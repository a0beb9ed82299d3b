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

const genesis = 1_600_000_000n;
const secondsPerBlock = 2n;
/** Higher blocks begin again at the first one's time, because years have four digits. */
const blocksInTime = 1_000_000_000n;
const oneCoin = 10n ** 18n;

/** Made up, but always the same for the same number. */
export function blockAt(number: bigint): Block {
	return {
		number: `${number}`,
		hash: hashOf(number),
		parentHash: number === 0n ? Buffer.alloc(32) : hashOf(number - 1n),
		time: {
			seconds: `${genesis + (number % blocksInTime) * secondsPerBlock}`,
			nanos: Number(number % 1000n) * 1_000_000,
		},
		transactions: Array.from({ length: Number(number % 4n) }, (_, index) =>
			transactionAt(number, index),
		),
		labels: { network: 'sandbox', parity: number % 2n === 0n ? 'even' : 'odd' },
	};
}

/** The number that a hash begins with, if the rest of it belongs to that number. */
export function numberOf(hash: Buffer): bigint | undefined {
	if (hash.length !== 32) return undefined;
	const number = hash.readBigUInt64BE();
	return hashOf(number).equals(hash) ? number : undefined;
}

function hashOf(number: bigint): Buffer {
	const hash = digest(`block ${number}`);
	hash.writeBigUInt64BE(number);
	return hash;
}

function transactionAt(block: bigint, index: number): Transaction {
	const name = `${block} ${index}`;
	return {
		from: digest(`from ${name}`).subarray(0, 20),
		to: digest(`to ${name}`).subarray(0, 20),
		value: `${(block + 1n) * oneCoin + BigInt(index)}`,
		nonce: `${BigInt.asUintN(64, block + BigInt(index))}`,
		status: 1 + (index % 2),
	};
}

const digest = (text: string) => createHash('sha256').update(text).digest();
