import {
	catching,
	formatExcerpt,
	InvalidInput,
	InvalidValue,
	parseEvmAddress,
	parseStarkAddress,
	parseTonAccount,
	parseWitnessAccount,
	parseField,
	type Parse,
} from '../../../../nodes/core';

export type Family = 'evm' | 'stark' | 'ton' | 'witness';

/** The menu's names of the families, and what is an address of each. An EVM address has a form that a STARK address may have, too. */
const ADDRESSES: Readonly<Record<Family, { readonly name: string; readonly parse: Parse }>> = {
	evm: { name: 'EVM', parse: parseEvmAddress },
	witness: { name: 'Witness', parse: parseWitnessAccount },
	ton: { name: 'TON', parse: parseTonAccount },
	stark: { name: 'STARK', parse: parseStarkAddress },
};

/** Parses an address, and says of one of another family which Chain it is for. */
export function parsePayee<T>(label: string, given: string, family: Family, parse: Parse<T>): T {
	const address = catching(InvalidValue, () => parse(given));
	if (!(address instanceof InvalidValue)) return address;
	const other = Object.entries(ADDRESSES).find(
		([key, { parse: parseOther }]) => key !== family && isValid(parseOther, given),
	);
	if (!other) return parseField(label, given, parse);
	const [, { name }] = other;
	throw new InvalidInput(
		`'${label}' is an address for the chain ${name}, and 'Chain' is ${ADDRESSES[family].name}: ${formatExcerpt(given)}`,
		`Choose ${name} in the field Chain, or enter the address that the receiver has on ${ADDRESSES[family].name}. Nothing was signed.`,
	);
}

function isValid(parse: Parse, given: string): boolean {
	return !(catching(InvalidValue, () => parse(given)) instanceof InvalidValue);
}

/** Refuses a comment where the chain has no place for one. */
export function refuseComment(comment: string): void {
	if (comment === '') return;
	throw new InvalidInput(
		"'Comment' must be empty here: payments on this chain carry no comment",
		'A comment goes along on TON, and with coins on the witness chain. Payment ID keeps a text of your own beside the item.',
	);
}
