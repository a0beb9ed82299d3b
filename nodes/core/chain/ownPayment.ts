/** A payment, prepared for comparison with another one. Each address has the single spelling of its chain family. */
export interface OwnPayment {
	readonly to: string;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint;
	/** The comment of the payment. Null if there is none or it is empty. */
	readonly comment: string | null;
}

/** A payment on the chain, or one that waits on the node for a block. */
export interface MadePayment extends OwnPayment {
	/** The hash under which people find the payment. */
	readonly hash: string;
	/** The time in milliseconds since 1970. A payment that waits for a block has the present time. */
	readonly time: number;
	/** Returns the signed transaction as it was sent, if the chain shows it with the payment. */
	readonly getSigned?: () => string;
}

/** The recent payments of an account, as far back as they could be read. */
export interface MadePayments {
	readonly payments: readonly MadePayment[];
	/** The time from which on all payments are known, in milliseconds since 1970. */
	readonly since: number;
	/** Whether the node counts the account's pending transactions without listing them. */
	readonly hidesWaiting?: boolean;
}

/** The outcome of a signed payment. The fee is in whole coins. */
export interface PaymentOutcome {
	/** The status; `unknown` if the payment may still be carried out. */
	readonly status: 'confirmed' | 'failed' | 'unknown';
	readonly transactionHash: string | null;
	readonly fee: string | null;
	readonly blockNumber: number | null;
	/** ISO 8601. */
	readonly timestamp: string | null;
	/**
	 * The reason why the payment failed, or why its outcome is unknown. Null for a confirmed payment, unless less
	 * arrived than was paid.
	 */
	readonly reason: string | null;
	/** A note about the service that returned the outcome, such as a wrong clock. It does not mean a failure. */
	readonly hint?: string;
}

/**
 * The payment that a signed transaction contains. Addresses are spelled as in items. A transaction other than a
 * single payment has neither receiver nor value.
 */
export interface SignedPayment {
	/** The account that pays; null if the signature belongs to no account. */
	readonly from: string | null;
	readonly to: string | null;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint | null;
	readonly comment: string | null;
	readonly symbol: string | null;
	/** Null if the token does not return its decimals. */
	readonly decimals: number | null;
}

/** The fields of a signed transaction that is not a single payment. */
export const SOMETHING_ELSE: SignedPayment = {
	from: null,
	to: null,
	token: null,
	value: null,
	comment: null,
	symbol: null,
	decimals: null,
};
