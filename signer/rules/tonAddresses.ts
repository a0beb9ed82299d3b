import { formatTonAddresses, parseTonAccount, type Parse, type TonAccount } from '../../nodes/core';

/** The raw form, such as 0: and 64 hex digits, in which all spellings of an account are the same. */
export type TonAddress = string;

export function toTonAddress(account: TonAccount): TonAddress {
	return formatTonAddresses(account).raw;
}

export const parseTonRuleAddress: Parse<TonAddress> = (given) =>
	toTonAddress(parseTonAccount(given));

/** Formats the address as people write it; one in a workchain that does not exist has no such form. */
export function formatTonAddress(address: TonAddress): string {
	const [workchain = ''] = address.split(':');
	return WORKCHAINS.includes(workchain)
		? formatTonAddresses(parseTonAccount(address)).bounceable
		: `${address} (in workchain ${workchain}, which is neither 0 nor -1)`;
}

const WORKCHAINS: readonly string[] = ['0', '-1'];
