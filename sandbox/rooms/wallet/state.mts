import { firstWitnesses, type Votes, type Witness } from './witnesses.mts';

export interface WalletSettings {
	/** Frozen coins by address, base58 or hex. */
	frozen: Record<string, number>;
	/** What every other address has frozen. */
	defaultFrozen: number;
}

export interface Broadcast {
	txid: string;
	type: string;
	owner_address: string;
	transaction: object;
}

export interface WalletState {
	settings: WalletSettings;
	broadcast: Broadcast[];
	/** Those of the start, and accounts that became one since. */
	witnesses: Witness[];
	votes: Votes;
}

export const freshWallet = (): WalletState => ({
	settings: { frozen: {}, defaultFrozen: 1000 },
	broadcast: [],
	witnesses: firstWitnesses(),
	votes: new Map(),
});
