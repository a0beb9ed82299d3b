import type { TonLedger } from './ledger.mts';

/**
 * How far a list lags: the number of latest transactions or seconds that it lacks, and the share of requests
 * that get the lagging list.
 */
export interface TonLag {
	transactions: number;
	seconds: number;
	share: number;
}

/** The settings of the TON chain that the control server changes. */
export interface TonChainSettings {
	/** The lag of the lists of transactions, traces, transfers, jettons, NFTs and names. */
	index: TonLag;
	/** How far the states of accounts in answers are behind the chain. */
	accounts: TonLag;
	/** The seed of the draws that decide which requests meet a lag. */
	seed: number;
	/** Whether messages wait until a step lets them arrive. */
	hold: boolean;
}

interface TonArrivals {
	times: number;
	arrive: () => Promise<unknown>;
}

export interface TonChain {
	settings: TonChainSettings;
	/** The chain. It is undefined until the first request, because the virtual machine takes a second to load. */
	ledger: Promise<TonLedger> | undefined;
	/** The number of seconds that the chain's clock is ahead of the computer's clock. */
	aheadSeconds: number;
	/** The number of requests so far whose answers could have lagged. */
	questions: number;
	/** Payments that a test lets arrive between two pages of a list. */
	arrivals: TonArrivals | undefined;
}

/** The part of the state that the control server and the TON API share. */
export interface TonChainState {
	tonChain: TonChain;
}

const NO_LAG: TonLag = { transactions: 0, seconds: 0, share: 1 };

export const createTonChain = (): TonChain => ({
	settings: { index: NO_LAG, accounts: NO_LAG, seed: 1, hold: false },
	ledger: undefined,
	aheadSeconds: 0,
	questions: 0,
	arrivals: undefined,
});

/** The time (in seconds since 1970) and the number of the newest block before the TON chain is first used. */
export const SEED_SECONDS = 1_768_471_200;
export const SEED_BLOCK = 50_000_000;

/** The id of a shard that covers a whole workchain. It is a text, because a number cannot hold all its digits. */
export const WHOLE_SHARD = '8000000000000000';

export const getChainSeconds = ({ aheadSeconds }: Pick<TonChain, 'aheadSeconds'>): number =>
	Math.max(SEED_SECONDS, Math.floor(Date.now() / 1000)) + aheadSeconds;
