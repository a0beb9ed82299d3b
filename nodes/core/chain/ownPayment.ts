/** A payment in the form in which two payments are compared. Addresses have the one spelling of their family. */
export interface OwnPayment {
	readonly to: string;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint;
	/** Null if there is no comment; an empty comment counts as none. */
	readonly comment: string | null;
}

/** A payment that an account has made, or that waits on the node for a block. */
export interface MadePayment extends OwnPayment {
	/** The hash by which people look the payment up. */
	readonly hash: string;
	/** In milliseconds since 1970; the present for a payment that waits. */
	readonly time: number;
	/** The signed transaction as it is sent, if the chain shows it with the payment. */
	readonly getSigned?: () => string;
}

/** The recent payments of an account, as far as the chain could be read. */
export interface MadePayments {
	readonly payments: readonly MadePayment[];
	/** The time since which all payments are known, in milliseconds since 1970. */
	readonly since: number;
	/** Whether the node counts pending transactions of the account but does not show them. */
	readonly hidesWaiting?: boolean;
}

/** The outcome of a signed payment. Amounts are whole coins. */
export interface PaymentOutcome {
	/** `unknown` if the payment may still be carried out. */
	readonly status: 'confirmed' | 'failed' | 'unknown';
	readonly transactionHash: string | null;
	readonly fee: string | null;
	readonly blockNumber: number | null;
	/** ISO 8601. */
	readonly timestamp: string | null;
	/**
	 * Why the payment failed, or why its outcome is unknown. Null for a confirmed payment, unless less arrived than was paid.
	 */
	readonly reason: string | null;
	/** A remark about the service that gave the outcome, such as a wrong clock. It is not a failure. */
	readonly hint?: string;
}

/**
 * What a transaction pays, by its bytes and the chain. Addresses are as items have them. A transaction other than a
 * single payment has neither receiver nor value.
 */
export interface SignedPayment {
	/** Null if the signature belongs to no account. */
	readonly from: string | null;
	readonly to: string | null;
	/** Null for coins. */
	readonly token: string | null;
	/** The amount in the smallest unit. */
	readonly value: bigint | null;
	readonly comment: string | null;
	readonly symbol: string | null;
	/** Null if the token does not report it. */
	readonly decimals: number | null;
}

/** What is known of a transaction that is not a single payment, or whose signature belongs to no account. */
export const SOMETHING_ELSE: SignedPayment = {
	from: null,
	to: null,
	token: null,
	value: null,
	comment: null,
	symbol: null,
	decimals: null,
};
