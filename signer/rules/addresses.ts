import {
	checksumAddress,
	formatWitnessAddresses,
	parseEvmAddress,
	parseWitnessAccount,
	FAMILY_NAMES,
	type Family,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { formatTonAddress } from './tonAddresses';

/**
 * An address in lower-case hex: `0x` and 40 digits (EVM), `41` and 40 (TRON), `0x` and 64 (STARK rollups), `0:` and 64 (TON). An address
 * that is allowed in one family is not allowed in another, where it may belong to somebody else.
 */
export type Address = string;

export const parseAddress: Parse<Address> = (given) => {
	const text = typeof given === 'string' ? given : '';
	if (/^0x/i.test(text)) return `0x${parseEvmAddress(text).slice(2).toLowerCase()}`;
	return /^(T|41)/.test(text)
		? `41${parseWitnessAccount(text)}`
		: raise(
				new InvalidValue(
					'a list of addresses: 0x followed by 40 hex digits (EVM); T followed by 33 letters and digits, or 41 followed by 40 hex digits (TRON)',
				),
			);
};

interface AddressForm {
	readonly pattern: RegExp;
	readonly format: (address: Address) => string;
}

/** How the rules recognize and format the addresses of each family. */
const RULE_ADDRESS_FORMS: Readonly<Record<Family, AddressForm>> = {
	evm: { pattern: /^0x[0-9a-f]{40}$/, format: checksumAddress },
	witness: {
		pattern: /^41[0-9a-f]{40}$/,
		format: (address) => formatWitnessAddresses(address.slice(2)).base58,
	},
	ton: { pattern: /^-?\d+:/, format: formatTonAddress },
	stark: { pattern: /^0x[0-9a-f]{64}$/, format: (address) => address },
};

/** Finds the family of an address by its form. */
export function findFamily(address: Address): Family | undefined {
	return FAMILY_NAMES.find((one) => RULE_ADDRESS_FORMS[one].pattern.test(address));
}

/** Formats the address as wallets show it. An address of no family stays unchanged. */
export function formatAddress(address: Address): string {
	const family = findFamily(address);
	return family === undefined ? address : RULE_ADDRESS_FORMS[family].format(address);
}

/** Returns the address with these 40 digits in the family of `other`. Its first two characters are 0x on EVM chains and 41 on TRON. */
export function toAddressOnSameChain(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}
