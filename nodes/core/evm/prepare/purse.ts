import {
	insufficientFundsError,
	reserveFixedPlace,
	reservePlace,
	type Cost,
	type EarlierSpending,
	type Place,
	type Purse,
	type Shortage,
} from '../../chain/purse';
import type { RpcReader } from '../../chain/reader';
import { RequestFailure } from '../../errors/requestFailure';
import { invalidResponseError } from '../../net/responses/response';
import { ETHER_DECIMALS, formatUnits } from '../../values/units';
import { quantityParser } from '../chainObjects';
import { MAX_NONCE } from '../transactions/unsigned';
import { raise } from '../../errors/raise';
import { sharedKey } from '../../net/pacing/shared';

/** The numbers of transactions that an account has sent. */
export interface TransactionCounts {
	/** The number of transactions in blocks; undefined if it was not read. */
	readonly mined: bigint | undefined;
	/** With the pending ones. */
	readonly next: bigint;
}

export type NoncePlace = Place<TransactionCounts>;

const PURSES = sharedKey('evm.purses', () => new Map<string, Purse<TransactionCounts>>());

/** Reserves the place of an item in the order of the nonces of its account. */
export function reserveNonce(
	reader: RpcReader,
	from: string,
	fixed: bigint | undefined,
): NoncePlace {
	if (fixed !== undefined) return reserveFixedNonce(fixed);
	const purses = reader.shared(PURSES);
	return reservePlace(
		purses,
		from.toLowerCase(),
		async () => await readTransactionCounts(reader, from),
	);
}

export function reserveFixedNonce(nonce: bigint): NoncePlace {
	return reserveFixedPlace(Promise.resolve({ next: nonce, mined: undefined }));
}

/** What a transaction costs an account, in wei. */
interface Payment {
	readonly from: string;
	/** The amount plus the highest fee. */
	readonly cost: bigint;
	/** The balance of the account; undefined if the balance is not checked. */
	readonly balance: bigint | undefined;
}

interface AssignedNonce {
	readonly nonce: bigint;
	/** How many pending transactions of the account are before the transaction; undefined if they were not counted. */
	readonly waiting: bigint | undefined;
}

/**
 * Takes the nonce of a payment. Throws if the account cannot pay for it and for the earlier payments, because nodes would
 * drop some of them.
 */
export async function takeNonce(
	place: NoncePlace,
	payment: Payment,
	tokens: readonly Cost[] = [],
): Promise<AssignedNonce> {
	const { cost: amount, balance } = payment;
	const throwShort = (earlier: EarlierSpending) =>
		raise(insufficientFundsError(describeShortage(payment), earlier));
	const { number: nonce } = await place.take([{ amount, balance, throwShort }, ...tokens]);
	const { mined } = await place.account;
	return { nonce, waiting: mined === undefined ? undefined : nonce - mined };
}

/** Throws if the balance is below the amount, even before the fee is known. */
export function checkAmount(from: string, balance: bigint, amount: bigint): void {
	if (balance >= amount) return;
	const shortage = describeShortage({ from, balance, cost: amount });
	const description = `The balance of ${from} must cover the amount and the fee on top of it.`;
	throw insufficientFundsError({ ...shortage, description }, { spent: 0n, count: 0 });
}

function describeShortage({ from, balance = 0n, cost: needed }: Payment): Shortage {
	const description = `The balance of ${from} must cover each amount with its highest fee.`;
	return { needed, balance, format: formatPluralCoins, description };
}

/** Formats coins in the plural, because the sentence goes on with `are`, even after `1 coins`. */
function formatPluralCoins(wei: bigint): string {
	return `${formatUnits(wei, ETHER_DECIMALS)} coins`;
}

/** Reads how many transactions an account has sent. Throws if the numbers contradict each other. */
export async function readTransactionCounts(
	reader: RpcReader,
	from: string,
): Promise<TransactionCounts> {
	// The mined transactions are asked for first, so a transaction that enters a block meanwhile causes no
	// contradiction.
	const [mined, next] = await Promise.all([
		readTransactionCount(reader, from, 'latest'),
		readTransactionCount(reader, from, 'pending'),
	]);
	return next >= mined ? { mined, next } : raise(contradictionError(from, mined, next));
}

/**
 * Builds the error for counts with more transactions in blocks than altogether. The next nonce would be one that is
 * already used.
 */
function contradictionError(from: string, mined: bigint, all: bigint): RequestFailure {
	return new RequestFailure(
		`The chain node contradicts itself: it counts ${mined} transactions of ${from} in blocks, but only ${all} in blocks and pending together`,
		{
			description:
				'Nothing was prepared. The chain node is behind its chain or cannot be trusted. Run the workflow again in a moment, or use another chain node.',
		},
	);
}

async function readTransactionCount(
	reader: RpcReader,
	from: string,
	block: string,
): Promise<bigint> {
	const answer = await reader.call('eth_getTransactionCount', [from, block]);
	const count = quantityParser('a transaction count')(answer);
	return count <= MAX_NONCE ? count : raise(invalidResponseError('a transaction count', answer));
}
