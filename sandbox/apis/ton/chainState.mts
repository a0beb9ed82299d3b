import type { TonLedger } from './ledger.mts';

/** This share of the questions doesn't see so many of the latest transactions, nor those of the last seconds. */
export interface TonLag {
	transactions: number;
	seconds: number;
	share: number;
}

/** What the control server sets of the chain. */
export interface TonChainSettings {
	/** The lists of transactions, traces, transfers, jettons, NFTs and names. */
	index: TonLag;
	/** The states of accounts. */
	accounts: TonLag;
	/** Which of the questions meet the lag: the same seed, the same questions. */
	seed: number;
	/** Messages wait until a step lets them arrive. */
	hold: boolean;
}

export interface TonArrivals {
	times: number;
	arrive: (ledger: TonLedger) => Promise<unknown>;
}

export interface TonChain {
	settings: TonChainSettings;
	/** Undefined until it is first asked for: the machine takes a second to load. */
	ledger: Promise<TonLedger> | undefined;
	/** How far its clock is ahead of the machine's. */
	aheadSeconds: number;
	/** The questions that a lag could have met. */
	questions: number;
	/** What arrives between two pages. */
	arrivals: TonArrivals | undefined;
}

/** What the control server and the APIs share. */
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

/** Where the chain stands until its first use: its seed lies there. */
export const SEED_SECONDS = 1_768_471_200;
export const SEED_BLOCK = 50_000_000;

export const getChainSeconds = ({ aheadSeconds }: Pick<TonChain, 'aheadSeconds'>): number =>
	Math.max(SEED_SECONDS, Math.floor(Date.now() / 1000)) + aheadSeconds;
