import { FAMILY_NAMES, type Family } from './families';
import { InvalidValue, trimText } from './parse';

interface AddressForm {
	readonly pattern: RegExp;
	/** Advice that names the type of chain to which an address of this form belongs. */
	readonly advice: string;
}

/** The written form of addresses in each family. A match does not mean that the checksum is right. */
const ADDRESS_FORMS: Readonly<Record<Family, AddressForm>> = {
	evm: {
		pattern: /^0x[0-9a-f]{40}$/i,
		advice: 'Addresses of EVM chains are written like this. Use the node Chain EVM RPC for them.',
	},
	witness: {
		pattern: /^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-f]{40})$/,
		advice: 'Addresses of TRON are written like this. Use the node Chain Witness Wallet for them.',
	},
	ton: {
		pattern: /^([EUk0][Qf][\w+/-]{46}|(0|-1):[0-9a-f]{64})$/i,
		advice: 'Addresses of TON chains are written like this. Use the node Chain TON for them.',
	},
	stark: {
		pattern: /^0x[0-9a-f]{50,64}$/i,
		advice:
			'Addresses of STARK rollups and hashes are written like this. Use the node Chain STARK for addresses of STARK rollups.',
	},
};

/** Finds the family of an address by its written form. */
export function findAddressFamily(given: unknown): Family | undefined {
	const text = trimText(given);
	return FAMILY_NAMES.find((family) => ADDRESS_FORMS[family].pattern.test(text));
}

/**
 * Builds the error for a value that is not an address of the family. If it is an address of another family, the
 * advice says so.
 */
export function invalidAddress(family: Family, given: unknown, expected: string): InvalidValue {
	const other = findAddressFamily(given);
	const isOther = other !== undefined && other !== family;
	return new InvalidValue(expected, isOther ? ADDRESS_FORMS[other].advice : undefined);
}
