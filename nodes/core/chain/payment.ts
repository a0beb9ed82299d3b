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

/** The coin of each family. The symbol is null if each chain of the family has its own. */
export const COINS: Readonly<Record<Family, { symbol: string | null; decimals: number }>> = {
	evm: { symbol: null, decimals: ETHER_DECIMALS },
	witness: { symbol: 'TRX', decimals: SUN_DECIMALS },
	ton: { symbol: 'TON', decimals: NANOCOIN_DECIMALS },
	stark: { symbol: 'STRK', decimals: 18 },
};

/** A movement of coins or tokens from one account to another. The fields have the same names for all families. */
interface Payment {
	readonly chain: Family;
	/** A key that is unique on the chain. It is the same each time the payment is read. */
	readonly key: string;
	readonly transactionHash: string | null;
	/** The time in ISO 8601; null if the chain does not give it together with the event. */
	readonly timestamp: string | null;
	readonly from: string | null;
	readonly to: string | null;
	/** Null for coins. */
	readonly token: string | null;
	/** The symbol and the decimals of the token or the coin. */
	readonly facts: TokenFacts;
	/** The amount in the smallest unit. */
	readonly value: bigint;
	readonly comment: string | null;
}

/** Formats a payment. The fields that all families share come first. */
export function formatPayment(payment: Payment, others: JsonObject): JsonObject {
	const common = formatCommon(payment);
	return { ...common, ...others, ...common };
}

function formatCommon(payment: Payment) {
	const { key, chain, transactionHash, timestamp, from, to, token, facts, value, comment } =
		payment;
	// The fields that people read first come first.
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

/** The values from which the key of a payment is computed. */
interface KeyParts {
	readonly block: unknown;
	readonly transactionHash: unknown;
	/** The type of the payment and its details. */
	readonly says: readonly unknown[];
}

export type MakeKey = (parts: KeyParts) => string;

const KEY_DIGITS = 32;

/**
 * Makes unique keys for the payments of a chain. The caller must pass all payments of a block together, and the blocks
 * in order. Indices of logs are not used, because they differ between blocks, and some nodes have none. Instead, equal
 * payments of one transaction are counted.
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
	/** Whether the minimum is 0, so that all payments count. */
	readonly isZero: boolean;
}

const UNKNOWN_DECIMALS =
	"'Min Amount' is in whole tokens. Some tokens do not say how many decimals they have: their transfers were left out.";

/**
 * Creates the check for the option Min Amount. An amount of a token without decimals never passes the check, and is
 * reported.
 */
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

/** Formats a balance with the same fields as a payment. Amount and value are null if the balance could not be read. */
export function formatBalance(value: bigint | null, { symbol, decimals }: TokenFacts) {
	return {
		amount: value === null ? null : formatTokenAmount(value, { decimals }),
		symbol,
		decimals,
		value: value === null ? null : String(value),
	};
}

/** Formats an account's balance of the coin of its chain. */
export function formatCoinBalance(family: Family, value: bigint | null) {
	return formatBalance(value, COINS[family]);
}
