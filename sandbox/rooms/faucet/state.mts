export interface FaucetSettings {
	/** What addresses hold on the main network, in ETH; keys in any case, TON in its raw form. */
	balances: Record<string, string>;
	/** What every other address holds. */
	balance: string;
	/** Whether an address has a history there; every other one has. */
	history: Record<string, boolean>;
	form: 'url' | 'transaction';
	/** Seconds between two payments to an address on a chain. */
	cooldown: number;
}

export interface Payment {
	chain: string;
	account: string;
	at: number;
}

export interface FaucetState {
	settings: FaucetSettings;
	payments: Payment[];
}

export const createFaucetState = (): FaucetState => ({
	settings: { balances: {}, balance: '1', history: {}, form: 'url', cooldown: 86_400 },
	payments: [],
});

/** Payments per chain and account. */
export function countPayments(payments: Payment[]): Record<string, Record<string, number>> {
	const counts: Record<string, Record<string, number>> = {};
	for (const { chain, account } of payments) {
		const accounts = (counts[chain] ??= {});
		accounts[account] = (accounts[account] ?? 0) + 1;
	}
	return counts;
}
