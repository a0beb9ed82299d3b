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
 * `0x` and 40 hex digits on EVM chains, 41 and 40 on TRON, 0x and 64 on STARK rollups, all in lower case, and
 * the raw form (`0:` and 64) on the TON chain. An address that is allowed on one of them is not allowed on another, where
 * the same bytes may be a contract of somebody else.
 */
export type Address = string;

export const parseAddress: Parse<Address> = (given) => {
	const text = typeof given === 'string' ? given : '';
	if (/^0x/i.test(text)) return `0x${parseEvmAddress(text).slice(2).toLowerCase()}`;
	return /^(T|41)/.test(text)
		? `41${parseWitnessAccount(text)}`
		: raise(
				new InvalidValue(
					'a list of addresses: 0x and 40 hex digits, T and 33 letters and digits, or 41 and 40 hex digits',
				),
			);
};

interface AddressForm {
	readonly pattern: RegExp;
	readonly format: (address: Address) => string;
}

/** How the rules read and write the addresses of each family. */
const RULE_ADDRESS_FORMS: Readonly<Record<Family, AddressForm>> = {
	evm: { pattern: /^0x[0-9a-f]{40}$/, format: checksumAddress },
	witness: {
		pattern: /^41[0-9a-f]{40}$/,
		format: (address) => formatWitnessAddresses(address.slice(2)).base58,
	},
	ton: { pattern: /^-?\d+:/, format: formatTonAddress },
	stark: { pattern: /^0x[0-9a-f]{64}$/, format: (address) => address },
};

/** Finds the family whose addresses the rules write like this. */
export function findFamily(address: Address): Family | undefined {
	return FAMILY_NAMES.find((one) => RULE_ADDRESS_FORMS[one].pattern.test(address));
}

/** Formats the address as people write it; an address of no family stays unchanged. */
export function formatAddress(address: Address): string {
	const family = findFamily(address);
	return family === undefined ? address : RULE_ADDRESS_FORMS[family].format(address);
}

/**
 * Returns the address with these 40 digits, on the same chain as the other one. EVM chains and TRON begin
 * addresses with two different characters.
 */
export function toAddressOnSameChain(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}
