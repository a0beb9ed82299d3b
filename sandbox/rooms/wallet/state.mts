import { type Clock, createClock } from './blocks.mts';
import { createWitnesses, type Votes, type Witness } from './witnesses.mts';

export interface WalletSettings {
	/** Frozen coins by address, base58 or hex, for bandwidth. */
	frozen: Record<string, number>;
	/** What every other address has frozen. */
	defaultFrozen: number;
	/** Coins by address, base58 or hex. */
	balances: Record<string, number>;
	/** What every other address has. */
	defaultBalance: number;
	/** Milliseconds from block to block. */
	blockTime: number;
	/** Whether the view of what is irreversible is served. */
	solidified: boolean;
}

export interface Broadcast {
	txid: string;
	type: string;
	owner_address: string;
	transaction: object;
	/** The block that holds it; it is pending until then. */
	block: number;
	outcome: Outcome;
}

/** What a transaction came to, in the words of the chain. */
export interface Outcome {
	fee: number;
	net_usage: number;
	net_fee: number;
	energy: number;
	energy_fee: number;
	/** Of a call of a contract: SUCCESS, REVERT, OUT_OF_ENERGY. */
	result?: string;
	/** What it returned, in hex. */
	returned?: string;
	/** In words. */
	message?: string;
	contract_address?: string;
}

/** What has changed since the start, in sun, which the settings give. */
export interface Changes {
	balance: number;
	frozen: { BANDWIDTH: number; ENERGY: number };
	unfrozen: { unfreeze_amount: number; unfreeze_expire_time: number; type?: 'ENERGY' }[];
	netUsed: number;
	energyUsed: number;
}

export interface WalletState {
	settings: WalletSettings;
	clock: Clock;
	broadcast: Broadcast[];
	/** Those of the start, and accounts that became one since. */
	witnesses: Witness[];
	votes: Votes;
	/** By address in hex. */
	changes: Map<string, Changes>;
}

const BLOCK_TIME_MS = 200;

export const createWalletState = (): WalletState => ({
	settings: {
		frozen: {},
		defaultFrozen: 1000,
		balances: {},
		defaultBalance: 20_000,
		blockTime: BLOCK_TIME_MS,
		solidified: true,
	},
	clock: createClock(BLOCK_TIME_MS),
	broadcast: [],
	witnesses: createWitnesses(),
	votes: new Map(),
	changes: new Map(),
});
