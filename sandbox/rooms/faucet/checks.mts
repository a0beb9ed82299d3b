import type { FaucetState } from './state.mts';

export interface FaucetRefusal {
	status: 403 | 429;
	body: object;
}

const MIN_BALANCE_ETH = 0.08;

/** The documented checks before a payment; undefined if all of them pass. */
export function findRefusal(
	{ settings, payments }: FaucetState,
	chain: string,
	account: string,
): FaucetRefusal | undefined {
	if (!(findValue(account, settings.history) ?? true)) return buildForbidden(NO_HISTORY_TEXT);
	const balance = findValue(account, settings.balances) ?? settings.balance;
	if (Number(balance) < MIN_BALANCE_ETH) return buildForbidden(formatTooPoor(balance));
	const last = payments.findLast((paid) => paid.chain === chain && paid.account === account);
	const next = (last?.at ?? 0) + settings.cooldown * 1000;
	if (!last || next <= Date.now()) return undefined;
	const message = `This address was paid on ${chain} already. Too many requests, try again later.`;
	const nextFaucetAvailable = new Date(next).toISOString();
	return { status: 429, body: { error: { message }, nextFaucetAvailable } };
}

const findValue = <T,>(account: string, values: Record<string, T>): T | undefined =>
	Object.entries(values).find(([key]) => key.toLowerCase() === account)?.[1];

const NO_HISTORY_TEXT =
	'The address has no history of holding ETH on the main network, or it was empty recently.';

const formatTooPoor = (balance: string) =>
	`The address must hold at least ${MIN_BALANCE_ETH} ETH on the main network, it holds ${balance} ETH.`;

const buildForbidden = (error: string): FaucetRefusal => ({ status: 403, body: { error } });
