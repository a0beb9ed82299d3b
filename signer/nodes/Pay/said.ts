import {
	catching,
	FAMILIES,
	InvalidValue,
	isSame,
	otherwiseError,
	parseField,
	raise,
	type Family,
	type Parse,
	type Said,
} from '../../../nodes/core';

const ADDRESS_FIELDS = ['from', 'to', 'token'];

/** Refuses an item whose fields contradict its signed transaction. */
export function checkSaid(
	{ name, fields }: Said,
	family: Family,
	signed: Readonly<Record<string, unknown>>,
): void {
	for (const [field, said] of Object.entries(fields)) {
		const value = signed[field] ?? undefined;
		const isIt = ADDRESS_FIELDS.includes(field)
			? isSameAddress(FAMILIES[family].spellAddress, said, value)
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
