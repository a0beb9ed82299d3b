/** A payment in the terms by which two are compared. Addresses are in the one spelling that their family compares by. */
export interface OwnPayment {
	readonly to: string;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint;
	/** Null without one; an empty comment is none. */
	readonly comment: string | null;
}

/** A payment that an account has made, or that waits on the node for a block. */
export interface MadePayment extends OwnPayment {
	/** The hash by which people look it up. */
	readonly hash: string;
	/** In milliseconds since 1970; the present for one that waits. */
	readonly time: number;
	/** The signed transaction as it is sent, where the chain shows it with the payment. */
	readonly getSigned?: () => string;
}

/** What an account has paid lately, as far as the chain could be read. */
export interface MadePayments {
	readonly payments: readonly MadePayment[];
	/** From when on all payments are known, in milliseconds since 1970. */
	readonly since: number;
	/** Whether transactions of the account wait for a block that the node counts and does not show. */
	readonly hidesWaiting?: boolean;
}

/** The outcome of a signed payment. Amounts are whole coins. */
export interface PaymentOutcome {
	/** `unknown` where it may still be carried out. */
	readonly status: 'confirmed' | 'failed' | 'unknown';
	readonly transactionHash: string | null;
	readonly fee: string | null;
	readonly blockNumber: number | null;
	/** ISO 8601. */
	readonly timestamp: string | null;
	/** Why it failed, or why nobody knows; null for what is confirmed, unless less arrived than was paid. */
	readonly reason: string | null;
	/** A remark about the service that gave the outcome, such as a wrong clock; it is no failure. */
	readonly hint?: string;
}

/**
 * What a transaction pays, by its bytes and the chain. Addresses are as items have them. A transaction other than a
 * single payment has neither receiver nor value.
 */
export interface SignedPayment {
	/** Null where the signature is of nobody. */
	readonly from: string | null;
	readonly to: string | null;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint | null;
	readonly comment: string | null;
	readonly symbol: string | null;
	/** Null where the token does not say. */
	readonly decimals: number | null;
}

/** What is known of a transaction that is not a single payment, or whose signature is of nobody. */
export const SOMETHING_ELSE: SignedPayment = {
	from: null,
	to: null,
	token: null,
	value: null,
	comment: null,
	symbol: null,
	decimals: null,
};
