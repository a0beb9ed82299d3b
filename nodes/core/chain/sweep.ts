import type { SignedPayment } from './ownPayment';

/** The asset that is brought to one place. */
export interface AskedSweep {
	/** The text that the user entered; empty for coins. */
	readonly token: string;
	readonly destination: string;
}

/** What an address holds of it. */
export interface Holding<Unsigned> {
	/** What would be paid: all of it. */
	readonly facts: SignedPayment;
	readonly balance: bigint;
	/** Whether a transaction of the address is under way: nothing is signed for it then. */
	readonly isBusy: boolean;
	/**
	 * Prepares the sweep of an address; undefined if its coins do not cover the fee or are not worth it. Throws if the chain
	 * reports that the sweep would fail.
	 */
	prepare(): Promise<PreparedSweep<Unsigned> | undefined>;
}

/** A transfer of all that an address holds, ready to be judged and signed. */
export interface PreparedSweep<Unsigned> {
	readonly facts: SignedPayment;
	readonly unsigned: Unsigned;
	/** The coins that the address lacks for the fee, in the smallest unit; 0 if it lacks none. */
	readonly missing: bigint;
	/** What distinguishes it from earlier sweeps of the address, if the chain does not number an address's transactions. */
	readonly turn?: string;
	/** Prepares it again right before it is signed, if time matters. Throws if it would fail by then. */
	renew?(): Promise<Unsigned>;
	/** The same transfer for another account to send; undefined where the token takes no authorizations. */
	readonly authorization?: SweepAuthorization<Unsigned>;
}

/** A transfer that an address signs, and another account sends: the address needs no coins. */
export interface SweepAuthorization<Unsigned> {
	/** The data that the address signs. It can pay nobody but the destination. */
	readonly typedData: object;
	/**
	 * Builds the transaction that the paying account would send, with a placeholder for the signature. The rules of that
	 * account judge it before anything is signed. Throws where the account cannot pay for all drafts so far.
	 */
	draft(payer: string): Promise<Unsigned>;
	/**
	 * Builds the transaction that the paying account sends next, with the signature of the address. Throws where the
	 * chain says that it would fail.
	 */
	complete(payer: string, signature: string): Promise<Unsigned>;
}

/** The steps for bringing the balances of addresses on one chain to one place. */
export interface SweptChain<Unsigned> {
	/** The token in the spelling in which two tokens are compared; null for coins. */
	readonly token: string | null;
	/** Which chain of its family it is. */
	readId(): Promise<string>;
	/** Accounts are 40 hex digits. */
	readHoldings(accounts: readonly string[]): Promise<ReadonlyArray<Holding<Unsigned>>>;
	/** Whether a transaction of the account that pays is under way. */
	isPayerBusy(payer: string): Promise<boolean>;
}
