import { createHash } from 'crypto';
import type { Family } from '../values/families';
import type { JsonObject } from '../values/json';
import {
	ETHER_DECIMALS,
	isAtLeast,
	NANOCOIN_DECIMALS,
	SUN_DECIMALS,
	type Decimal,
} from '../values/units';
import { formatTokenAmount, type TokenFacts } from './tokens';

/** The coins of a family. The symbol is null where each of its chains has its own. */
export const COINS: Readonly<Record<Family, { symbol: string | null; decimals: number }>> = {
	evm: { symbol: null, decimals: ETHER_DECIMALS },
	witness: { symbol: 'TRX', decimals: SUN_DECIMALS },
	ton: { symbol: 'TON', decimals: NANOCOIN_DECIMALS },
	stark: { symbol: 'STRK', decimals: 18 },
};

/** Coins or tokens that moved from one account to another, in the words that all families share. */
interface Payment {
	readonly chain: Family;
	/** The key is unique on the chain, and the same whenever and however the payment is read. */
	readonly key: string;
	readonly transactionHash: string | null;
	/** ISO 8601; null if the chain does not give it with the event. */
	readonly timestamp: string | null;
	readonly from: string | null;
	readonly to: string | null;
	/** Null for coins. */
	readonly token: string | null;
	/** The facts of the token, or of the coins. */
	readonly facts: TokenFacts;
	/** The amount in the smallest unit. */
	readonly value: bigint;
	readonly comment: string | null;
}

/** Formats a payment: first the fields that all chains share, then those of its family. */
export function formatPayment(payment: Payment, others: JsonObject): JsonObject {
	const common = formatCommon(payment);
	return { ...common, ...others, ...common };
}

function formatCommon(payment: Payment) {
	const { key, chain, transactionHash, timestamp, from, to, token, facts, value, comment } =
		payment;
	// Fields come first that people read first.
	return {
		amount: formatTokenAmount(value, facts),
		symbol: facts.symbol,
		from,
		to,
		comment,
		timestamp,
		chain,
		transactionHash,
		token,
		decimals: facts.decimals,
		value: String(value),
		key,
	};
}

/** What makes the key of a payment. */
interface KeyParts {
	readonly block: unknown;
	readonly transactionHash: unknown;
	/** The kind of payment, and its own details. */
	readonly says: readonly unknown[];
}

export type MakeKey = (parts: KeyParts) => string;

const KEY_DIGITS = 32;

/**
 * Makes the keys of the payments of a chain, whose blocks come whole and in order. Indices of logs differ between blocks, and some
 * nodes have none: a payment is named by its transaction, by what it says, and by its place among the equal ones of its transaction.
 */
export function createKeyMaker(): MakeKey {
	const counts = new Map<string, number>();
	let current: unknown;
	return ({ block, transactionHash, says }) => {
		if (block !== current) counts.clear();
		current = block;
		const transaction = String(transactionHash).toLowerCase();
		const text = JSON.stringify([transaction, ...says]);
		const count = (counts.get(text) ?? 0) + 1;
		counts.set(text, count);
		const digest = createHash('sha256').update(`${text} ${count}`).digest('hex');
		return `${transaction}:${digest.slice(0, KEY_DIGITS)}`;
	};
}

/** Which payments are large enough. */
export interface LeastAmount {
	isReached(value: bigint, facts: Pick<TokenFacts, 'decimals'>): boolean;
	/** Whether payments of any amount are wanted. */
	readonly isZero: boolean;
}

const UNKNOWN_DECIMALS =
	"'Min Amount' is in whole tokens. Some tokens do not say how many decimals they have: their transfers were left out.";

/** An amount of a token without decimals cannot be compared. The payment is left out and reported. */
export function createLeastAmount(
	least: Decimal | undefined,
	report: (hint: string) => void,
): LeastAmount {
	const isZero = least === undefined || least.digits === 0n;
	return {
		isZero,
		isReached: (value, { decimals }) => {
			if (isZero) return true;
			if (decimals === null) report(UNKNOWN_DECIMALS);
			return decimals !== null && isAtLeast(value, decimals, least);
		},
	};
}

/** Formats the balance of a coin or a token with the same fields as payments; null if the balance could not be read. */
export function formatBalance(value: bigint | null, { symbol, decimals }: TokenFacts) {
	return {
		amount: value === null ? null : formatTokenAmount(value, { decimals }),
		symbol,
		decimals,
		value: value === null ? null : String(value),
	};
}

/** Formats what an account has of the coins of its chain. */
export function formatCoinBalance(family: Family, value: bigint | null) {
	return formatBalance(value, COINS[family]);
}
