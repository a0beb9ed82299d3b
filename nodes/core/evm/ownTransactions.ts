import type { MadePayment, OwnPayment } from '../chain/ownPayment';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { catching, isRecord } from '../values/parse';
import { decodeBySelector, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import { quantityParser } from './chainObjects';
import { raise } from '../errors/raise';

/** A transaction that an account has sent. It may be in a block, or pending. Addresses are in lower case. */
export interface OwnTransaction {
	readonly hash: string;
	readonly nonce: bigint;
	/** The receiver; null if the transaction creates a contract. */
	readonly to: string | null;
	readonly value: bigint;
	readonly input: unknown;
}

/** Finds the transactions of an account in a list. The address of the account must be in lower case. */
export function findOwnTransactions(list: unknown, account: string): OwnTransaction[] {
	const all: readonly unknown[] = Array.isArray(list)
		? list
		: raise(invalidResponseError('the transactions of a block', list));
	return all
		.filter(isRecord)
		.filter(({ from }) => typeof from === 'string' && from.toLowerCase() === account)
		.map(parseOwnTransaction);
}

function parseOwnTransaction(transaction: JsonObject): OwnTransaction {
	const { hash, nonce, to, value, input, data } = transaction;
	return {
		hash:
			parseHex(hash, 64) ?? raise(invalidResponseError('a transaction with its hash', transaction)),
		nonce: quantityParser('a transaction with its nonce')(nonce),
		to: parseReceiver(to, transaction),
		value: quantityParser('a transaction with its value')(value),
		input: input ?? data,
	};
}

function parseReceiver(to: unknown, transaction: JsonObject): string | null {
	if (to === null || to === undefined || to === '') return null;
	return (
		parseHex(to, 40) ?? raise(invalidResponseError('a transaction with its receiver', transaction))
	);
}

function parseHex(given: unknown, digits: number): string | undefined {
	const isHex = typeof given === 'string' && /^0x[0-9a-f]+$/i.test(given);
	return isHex && given.length === digits + 2 ? given.toLowerCase() : undefined;
}

const TRANSFER_FUNCTION = parseFunction('transfer(address to, uint256 amount) returns (bool)');

/** Finds what a transaction pays if it succeeds: coins, and the amounts of those tokens that are listed in `tokens`. */
export function findPaid(
	transaction: OwnTransaction,
	tokens: ReadonlySet<string>,
): Array<OwnPayment & Pick<MadePayment, 'hash'>> {
	const { hash, to, value } = transaction;
	if (to === null) return [];
	const coins = value > 0n ? { to, token: null, value, comment: null } : undefined;
	const paid = [coins, tokens.has(to) ? decodeTransfer(to, transaction) : undefined];
	return paid.flatMap((one) => (one ? [{ ...one, hash }] : []));
}

function decodeTransfer(token: string, { input }: OwnTransaction): OwnPayment | undefined {
	const found = catching(DecodingError, () => decodeBySelector([TRANSFER_FUNCTION], input));
	if (!found || found instanceof DecodingError) return undefined;
	const [to, amount] = found.values.map(String);
	return { to: String(to).toLowerCase(), token, value: BigInt(amount ?? 0), comment: null };
}
