import type { SignedPayment } from './ownPayment';

/** What is brought to one place. */
export interface AskedSweep {
	/** As the user gave it; empty for coins. */
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
	/** Prepares what brings it away; undefined where its coins do not cover the fee, and are worth it. Throws where the chain says that it would fail. */
	prepare(): Promise<PreparedSweep<Unsigned> | undefined>;
}

/** A transfer of all that an address holds, ready to be judged and signed. */
export interface PreparedSweep<Unsigned> {
	readonly facts: SignedPayment;
	readonly unsigned: Unsigned;
	/** The coins that the address lacks for the fee, in the smallest unit; 0 for none. */
	readonly missing: bigint;
	/** What tells it from earlier sweeps of the address, where the chain does not number what an address sends. */
	readonly turn?: string;
	/** Makes it ready again right before it is signed, where time matters. Throws where it would fail by then. */
	renew?(): Promise<Unsigned>;
}

/** The steps of bringing what addresses of one chain hold to one place. */
export interface SweptChain<Unsigned> {
	/** The token in the spelling by which two are compared; null for coins. */
	readonly token: string | null;
	/** Which chain of its family it is. */
	readId(): Promise<string>;
	/** Accounts are 40 hex digits. */
	readHoldings(accounts: readonly string[]): Promise<ReadonlyArray<Holding<Unsigned>>>;
	/** Whether a transaction of the account that pays is under way. */
	isPayerBusy(payer: string): Promise<boolean>;
}
