import {
	catching,
	formatFelt,
	formatTonAddresses,
	InvalidValue,
	isSame,
	otherwiseError,
	parseEvmAddress,
	parseField,
	parseStarkAddress,
	parseTonAccount,
	parseWitnessAccount,
	raise,
	type Family,
	type Parse,
	type Said,
} from '../../../nodes/core';

/** The one spelling of an address by which two are compared. */
const ADDRESS_SPELLINGS: Readonly<Record<Family, Parse<string>>> = {
	evm: (given) => parseEvmAddress(given).toLowerCase(),
	witness: parseWitnessAccount,
	ton: (given) => formatTonAddresses(parseTonAccount(given)).raw,
	stark: (given) => formatFelt(parseStarkAddress(given)),
};

const ADDRESS_FIELDS = ['from', 'to', 'token'];

/** Refuses an item that says something else than its signed transaction does. */
export function checkSaid(
	{ name, fields }: Said,
	family: Family,
	signed: Readonly<Record<string, unknown>>,
): void {
	for (const [field, said] of Object.entries(fields)) {
		const value = signed[field] ?? undefined;
		const isIt = ADDRESS_FIELDS.includes(field)
			? isSameAddress(ADDRESS_SPELLINGS[family], said, value)
			: isSame(field, said, value);
		if (!isIt)
			parseField('Signed Transaction', said, () => raise(otherwiseError(name, field, said, value)));
	}
}

function isSameAddress(spell: Parse<string>, said: unknown, signed: unknown): boolean {
	const [one, other] = [said, signed].map((address) =>
		catching(InvalidValue, () => spell(address)),
	);
	return typeof one === 'string' && one === other;
}
