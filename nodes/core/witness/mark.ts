import { createHash } from 'crypto';
import { takeBits, type CarriedMark } from '../chain/mark';
import { replaceFields } from './protobuf';
import { decodeExpiration, headerFields, type WitnessTransaction } from './transaction';

/**
 * The payment mark, which identifies a payment, is stored in the two times of a transaction. It moves the expiration
 * by at most 17 seconds, and the timestamp by at most 66.
 */
const [EXPIRATION_BITS, TIMESTAMP_BITS] = [14, 16];
const MARK_BITS = EXPIRATION_BITS + TIMESTAMP_BITS;

/** The length of a period. Executions that build a payment with the same ID within one period all build the same bytes. */
export const PERIOD_MS = 60_000;
/**
 * A transaction expires this many milliseconds after the beginning of its period. Its payment mark adds up to 17
 * seconds.
 */
const VALID_MS = 100_000;

/** The block that a transaction refers to, by the end of its number and a part of its hash. */
export interface Reference {
	readonly refBlockBytes: string;
	readonly refBlockHash: string;
}

/** Returns the beginning of the period (a minute) that contains a time. Times are in milliseconds since 1970. */
export function getPeriod(time: number): number {
	return time - (time % PERIOD_MS);
}

/**
 * A period of a minute, and the block to which all transactions of the period refer. So several executions build the same transaction for a
 * payment.
 */
export interface SharedPeriod {
	readonly period: number;
	readonly reference: Reference;
}

type Built = Readonly<Record<'txID' | 'raw_data' | 'raw_data_hex', unknown>>;

/**
 * Changes the two times of a transaction so that they carry a payment mark. The times are based on the node's expiration, or on the period
 * of a minute that several executions share.
 */
export function addMark<Transaction extends Built>(
	built: Transaction,
	mark: bigint,
	shared: SharedPeriod | undefined,
): Transaction {
	const { reference } = shared ?? {};
	const period = shared?.period ?? Number(decodeExpiration(built.raw_data_hex)) - VALID_MS;
	const late = takeBits(mark, EXPIRATION_BITS);
	const early = takeBits(mark >> BigInt(EXPIRATION_BITS), TIMESTAMP_BITS);
	const expiration = BigInt(period + VALID_MS) + late;
	const timestamp = BigInt(period) - early;
	const named = reference && [
		[headerFields.ref_block_bytes.number, Buffer.from(reference.refBlockBytes, 'hex')] as const,
		[headerFields.ref_block_hash.number, Buffer.from(reference.refBlockHash, 'hex')] as const,
	];
	const bytes = replaceFields(Buffer.from(String(built.raw_data_hex), 'hex'), [
		...(named ?? []),
		[headerFields.expiration.number, expiration],
		[headerFields.timestamp.number, timestamp],
	]);
	return {
		...built,
		txID: createHash('sha256').update(bytes).digest('hex'),
		raw_data: {
			...(built.raw_data as object),
			...(reference && {
				ref_block_bytes: reference.refBlockBytes,
				ref_block_hash: reference.refBlockHash,
			}),
			expiration: Number(expiration),
			timestamp: Number(timestamp),
		},
		raw_data_hex: bytes.toString('hex'),
	};
}

/** Reads the payment mark in the times of a transaction. Without a mark, the result is a meaningless number. */
export function readMark({
	expiration,
	timestamp,
}: Pick<WitnessTransaction, 'expiration' | 'timestamp'>): CarriedMark {
	const period = findPeriod({ expiration });
	const late = takeBits(expiration - BigInt(VALID_MS) - period, EXPIRATION_BITS);
	const early = period - timestamp;
	const isMarked = early >= 0n && early >> BigInt(TIMESTAMP_BITS) === 0n;
	return isMarked
		? { value: (early << BigInt(EXPIRATION_BITS)) | late, bits: MARK_BITS }
		: { value: 0n, bits: 0 };
}

/** Whether the minute for which a transaction was built has ended, by the clock of n8n's machine. */
export function isOfEarlierPeriod(transaction: Pick<WitnessTransaction, 'expiration'>): boolean {
	return findPeriod(transaction) + BigInt(PERIOD_MS) <= BigInt(Date.now());
}

/** Finds the period (a minute) in which a transaction was built, by its expiration. */
function findPeriod({ expiration }: Pick<WitnessTransaction, 'expiration'>): bigint {
	const time = expiration - BigInt(VALID_MS);
	return time - (time % BigInt(PERIOD_MS));
}
