/**
 * Typed data (EIP-712) that makes much work from few characters, and so could block n8n. Each function takes the length
 * of its JSON.
 */
export const largeTypedData: Readonly<Record<string, (characters: number) => object>> = {
	'a chain of wide types': filling((width) => chainOf(60, width)),
	'types that all use the next ones': filling((width) => typesOfTypes(30, width)),
	'a wide type that many small ones use': filling((width) => {
		const small = names('S', 90);
		return data(
			{
				A: small.map((name) => member(name.toLowerCase(), name)),
				...Object.fromEntries(small.map((name) => [name, [member('wide', 'Wide[]')]])),
				Wide: flags(width),
			},
			Object.fromEntries(small.map((name) => [name.toLowerCase(), { wide: [] }])),
		);
	}),
	'one wide type': filling((width) => data({ A: flags(width) }, valuesOf(flags(width)))),
	'a wide domain': filling((width) => ({
		...data({ A: [], EIP712Domain: flags(width) }, {}),
		domain: valuesOf(flags(width)),
	})),
	'types that nothing uses': filling((width) => data({ A: [], B: flags(width) }, {})),
	numbers: listsOf('uint8[]', () => 1),
	'numbers as text': listsOf('uint256[]', () => '1'),
	'true and false': listsOf('bool[]', () => true),
	addresses: listsOf('address[]', () => ADDRESS),
	'empty texts': listsOf('string[]', () => ''),
	'empty bytes': listsOf('bytes[]', () => '0x'),
	'one text': (characters) => ofText('string', 'é'.repeat(characters / 2)),
	'one value of bytes': (characters) => ofText('bytes', `0x${'ab'.repeat(characters / 2)}`),
	'empty lists': listsOf('uint8[][]', () => []),
	'lists as JSON text': listsOf('uint8[][]', () => '[]'),
	'JSON text in JSON text': textInText,
	'lists of one': listsOf('uint8[][]', () => [1]),
	'lists in lists': listsOf(`uint8${'[]'.repeat(50)}`, () => nested(49, (one) => [one], 1)),
	'lists deeper than types may be': listsOf(`uint8${'[]'.repeat(100)}`, () =>
		nested(99, (one) => [one], 1),
	),
	'empty structs': structsOf({ B: [] }, () => ({})),
	'structs of one': structsOf({ B: [member('x', 'uint8')] }, () => ({ x: 1 })),
	'structs in structs': structsOf(
		Object.fromEntries([
			['B', [member('x', 'B0')]],
			...names('B', 50).map((name, at) => [name, at < 49 ? [member('x', `B${at + 1}`)] : []]),
		]) as Types,
		() => nested(50, (x) => ({ x }), {}),
	),
};

/** Builds an order with many items, as a marketplace might ask a user to sign. */
export function orderOf(items: number): object {
	return data(
		{
			A: [member('maker', 'address'), member('items', 'Item[]'), member('note', 'string')],
			Item: [
				member('token', 'address'),
				member('id', 'uint256'),
				member('amount', 'uint256'),
				member('recipient', 'address'),
				member('memo', 'string'),
			],
		},
		{
			maker: ADDRESS,
			note: 'An order',
			items: many(items, (id) => ({
				token: ADDRESS,
				id: String(id),
				amount: String(10n ** 18n),
				recipient: ADDRESS,
				memo: `Item ${id}`,
			})),
		},
	);
}

type Member = Readonly<Record<'name' | 'type', string>>;
type Types = Readonly<Record<string, readonly Member[]>>;

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function data(types: Types, message: unknown): object {
	return { types, primaryType: 'A', domain: { name: 'Example' }, message };
}

function member(name: string, type: string): Member {
	return { name, type };
}

function flags(count: number): Member[] {
	return many(count, (at) => member(`m${at}`, 'bool'));
}

function valuesOf(members: readonly Member[]): object {
	return Object.fromEntries(members.map(({ name }) => [name, true]));
}

/** Builds a chain of types. Each type contains the next type and a number of flags. */
function chainOf(length: number, width: number): object {
	const types = names('T', length).map((name, at) => [
		at === 0 ? 'A' : name,
		[...flags(width), ...(at < length - 1 ? [member('next', `T${at + 1}`)] : [])],
	]);
	const values = valuesOf(flags(width));
	const message = nested(length - 1, (next) => ({ ...values, next }), values);
	return data(Object.fromEntries(types) as Types, message);
}

/** Builds types in which each type has a list of each later type. The message has one value in each list. */
function typesOfTypes(count: number, width: number): object {
	const later = (at: number) => names('T', count).slice(at + 1);
	const types = names('T', count).map((name, at) => [
		at === 0 ? 'A' : name,
		at < count - 1 ? later(at).map((one) => member(one, `${one}[]`)) : flags(width),
	]);
	const valueOf = (at: number): object =>
		at === count - 1
			? valuesOf(flags(width))
			: Object.fromEntries(
					later(at).map((name, index) => [name, index === 0 ? [valueOf(at + 1)] : []]),
				);
	return data(Object.fromEntries(types) as Types, valueOf(0));
}

function ofText(type: string, value: string): object {
	return data({ A: [member('a', type)] }, { a: value });
}

/** Builds lists with one element that are nested as JSON texts. Each level doubles the escapes before quotes. */
function textInText(characters: number): object {
	const depth = Math.floor(Math.log2(characters)) - 3;
	const innermost = `${' '.repeat(characters / 3)}[]`;
	const text = nested(depth, (one) => JSON.stringify([one]), innermost);
	return data({ A: [member('a', `uint8${'[]'.repeat(depth + 1)}`)] }, { a: text });
}

function listsOf(type: string, item: () => unknown) {
	return filling((count) => data({ A: [member('a', type)] }, { a: many(count, item) }));
}

/** Lists of B. */
function structsOf(types: Types, item: () => unknown) {
	return filling((count) => data({ A: [member('b', 'B[]')], ...types }, { b: many(count, item) }));
}

/** Increases the count until the JSON of the typed data has about the wanted number of characters. */
function filling(make: (count: number) => object) {
	return (characters: number): object => {
		let count = 100;
		for (let round = 0; round < 3; round++) {
			const room = characters / JSON.stringify(make(count)).length;
			count = Math.max(1, Math.floor(0.98 * count * room));
		}
		return make(count);
	};
}

function many<T>(count: number, one: (at: number) => T): T[] {
	return Array.from({ length: count }, (_, at) => one(at));
}

/** `S0`, `S1` and so on. */
function names(first: string, count: number): string[] {
	return many(count, (at) => `${first}${at}`);
}

function nested(depth: number, around: (inner: unknown) => unknown, innermost: unknown): unknown {
	let whole = innermost;
	for (let at = 0; at < depth; at++) whole = around(whole);
	return whole;
}
