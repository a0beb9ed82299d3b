import { InvalidValue, trimText } from './parse';

/** How the addresses of each family are written. A form says nothing of a checksum. */
const FORMS = [
	{
		family: 'evm',
		pattern: /^0x[0-9a-f]{40}$/i,
		advice: 'This is how addresses of EVM chains are written. Chain EVM RPC is for them.',
	},
	{
		family: 'witness',
		pattern: /^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-f]{40})$/,
		advice:
			'This is how addresses of TRON-type chains are written. Chain Witness Wallet is for them.',
	},
	{
		family: 'ton',
		pattern: /^([EUk0][Qf][\w+/-]{46}|(0|-1):[0-9a-f]{64})$/i,
		advice: 'This is how addresses of TON chains are written. Chain TON is for them.',
	},
	{
		family: 'stark',
		pattern: /^0x[0-9a-f]{50,64}$/i,
		advice:
			'This is how addresses of STARK rollups are written, and hashes. Chain STARK is for the addresses.',
	},
] as const;

export type AddressFamily = (typeof FORMS)[number]['family'];

/** Finds the family whose addresses are written like this. */
export function findAddressFamily(given: unknown): AddressFamily | undefined {
	return findForm(given)?.family;
}

function findForm(given: unknown) {
	const text = trimText(given);
	return FORMS.find(({ pattern }) => pattern.test(text));
}

/** The refusal of what is no address of this family: it says where an address of another one belongs. */
export function invalidAddress(
	family: AddressFamily,
	given: unknown,
	expected: string,
): InvalidValue {
	const form = findForm(given);
	return new InvalidValue(expected, form?.family === family ? undefined : form?.advice);
}
