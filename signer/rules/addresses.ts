import {
	checksumAddress,
	formatWitnessAddresses,
	parseEvmAddress,
	parseWitnessAccount,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { formatTonAddress } from './tonAddresses';

/**
 * `0x` and 40 hex digits on EVM chains, 41 and 40 on the witness chain, 0x and 64 on STARK rollups, all in lower case, and
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

/** The length of 0x and 64 digits. */
const STARK_ADDRESS_CHARS = 66;

/** Formats the address as people write it. */
export function formatAddress(address: Address): string {
	if (address.includes(':')) return formatTonAddress(address);
	if (address.length === STARK_ADDRESS_CHARS) return address;
	return address.startsWith('0x')
		? checksumAddress(address)
		: formatWitnessAddresses(address.slice(2)).base58;
}

/** Returns the address with these digits on the same chain as the other. */
export function toAddressOnSameChain(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}
