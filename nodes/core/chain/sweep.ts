import type { SignedPayment } from './ownPayment';

/** The asset to collect, and the address that receives it. */
export interface AskedSweep {
	/** The token, as the user entered it; empty for coins. */
	readonly token: string;
	readonly destination: string;
}

/** What an address holds of the asset that is collected. */
export interface Holding<Unsigned> {
	/** The payment that would take the whole balance. */
	readonly facts: SignedPayment;
	readonly balance: bigint;
	/** Whether the address has a pending transaction. Nothing is signed for the address then. */
	readonly isBusy: boolean;
	/**
	 * Prepares the transfer of the whole balance; undefined if the coins do not cover the fee or are not worth it.
	 * Throws if the chain reports that the transfer would fail.
	 */
	prepare(): Promise<PreparedSweep<Unsigned> | undefined>;
}

/** A transfer of the whole balance of an address, ready to be checked against the signer's rules and signed. */
export interface PreparedSweep<Unsigned> {
	readonly facts: SignedPayment;
	readonly unsigned: Unsigned;
	/** The coins that the address lacks for the fee, in the smallest unit; 0 if the coins suffice. */
	readonly missing: bigint;
	/**
	 * A text that distinguishes the transfer from earlier ones of the address, for chains that do not number
	 * transactions.
	 */
	readonly turn?: string;
	/**
	 * Prepares the transfer again right before it is signed, for chains on which signatures expire. Throws if the
	 * transfer would fail.
	 */
	renew?(): Promise<Unsigned>;
	/** The same transfer for another account to send; undefined if the token accepts no authorizations. */
	readonly authorization?: SweepAuthorization<Unsigned>;
}

/** A transfer that the address only signs. Another account sends it, so the address needs no coins. */
export interface SweepAuthorization<Unsigned> {
	/** The data for the address to sign. With it, only the destination can be paid. */
	readonly typedData: object;
	/**
	 * Builds the transaction that the paying account would send, without a real signature. It is checked against the
	 * account's rules before anything is signed. Throws if the account cannot pay for all drafts so far.
	 */
	draft(payer: string): Promise<Unsigned>;
	/**
	 * Builds the transaction that the paying account sends next, with the signature of the address. Throws if the chain
	 * reports that it would fail.
	 */
	complete(payer: string, signature: string): Promise<Unsigned>;
}

/** The functions that collect the balances of many addresses of a chain at one address. */
export interface SweptChain<Unsigned> {
	/** The token in the spelling in which tokens are compared; null for coins. */
	readonly token: string | null;
	/** Reads the ID of the chain. */
	readId(): Promise<string>;
	/** Reads the balances of accounts, which are given as 40 hex digits. */
	readHoldings(accounts: readonly string[]): Promise<ReadonlyArray<Holding<Unsigned>>>;
	/** Whether the account that pays has a pending transaction. */
	isPayerBusy(payer: string): Promise<boolean>;
}
