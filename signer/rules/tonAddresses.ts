import { formatTonAddresses, parseTonAccount, type Parse, type TonAccount } from '../../nodes/core';

/** An address in the raw form: a workchain such as `0:` and 64 hex digits. Each account has only this spelling. */
export type TonAddress = string;

export function toTonAddress(account: TonAccount): TonAddress {
	return formatTonAddresses(account).raw;
}

export const parseTonRuleAddress: Parse<TonAddress> = (given) =>
	toTonAddress(parseTonAccount(given));

/** Formats the address as wallets show it. An address in a workchain that does not exist stays in the raw form. */
export function formatTonAddress(address: TonAddress): string {
	const [workchain = ''] = address.split(':');
	return WORKCHAINS.includes(workchain)
		? formatTonAddresses(parseTonAccount(address)).bounceable
		: `${address} (in workchain ${workchain}, which is neither 0 nor -1)`;
}

const WORKCHAINS: readonly string[] = ['0', '-1'];
