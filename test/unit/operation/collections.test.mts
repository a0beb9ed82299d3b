import type { Field } from '../../../nodes/core/operation/field';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { parseQuantity } from '../../../nodes/core/values/numbers';
import { createSource } from '../support/fakes.mts';

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	parse: parseQuantity,
} as const satisfies Field;

const extras = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
	options: [amount, { displayName: 'Note', name: 'note', type: 'string', default: 'none' }],
} as const satisfies Field;

const votes = {
	displayName: 'Votes',
	name: 'votes',
	type: 'fixedCollection',
	default: {},
	options: [
		{
			name: 'vote',
			displayName: 'Vote',
			values: [amount, { displayName: 'Count', name: 'count', type: 'number', default: 1 }],
		},
	],
} as const satisfies Field;

describe('a collection', () => {
	const read = (options: unknown) =>
		createParameterParser(createSource({ options }), [extras])(0).options;

	test('with an expression inside is evaluated for each item', () => {
		const raw = { options: { note: '={{ $json.a }}' } };
		const reader = createParameterParser(
			createSource(raw, { options: { note: 'a' } }, { options: { note: 'b' } }),
			[extras],
		);
		expect([reader(0), reader(1)]).toEqual([
			{ options: { note: 'a' } },
			{ options: { note: 'b' } },
		]);
	});

	test('holds only the fields that were added, read by their rules', () => {
		expect(read({})).toEqual({});
		expect(read({ amount: '0x0f', stranger: 1 })).toEqual({ amount: '0xf' });
		expect(read('')).toEqual({});
	});

	test('names the field inside it that does not fit', () => {
		expect(() => read({ amount: 'x' })).toThrow(/^'Options > Amount' must be a whole number/);
		expect(() => read({ amount: ' ' })).toThrow("'Options > Amount' is required");
		expect(() => read([1])).toThrow("'Options' must be an object; got [1]");
	});
});

describe('a fixed collection', () => {
	const read = (given: unknown) =>
		createParameterParser(createSource({ votes: given }), [votes])(0).votes;

	test('is a list of rows, with defaults for what is missing', () => {
		const rows = [{ amount: '1', count: '5' }, { amount: '0x02' }];
		expect(read({ vote: rows })).toEqual([
			{ amount: '0x1', count: 5 },
			{ amount: '0x2', count: 1 },
		]);
		expect(read({ vote: { amount: 3 } })).toEqual([{ amount: '0x3', count: 1 }]);
		expect([read({}), read({ vote: [] }), read('')]).toEqual([[], [], []]);
	});

	test('names the row and the field that do not fit', () => {
		const rows = [{ amount: 1 }, { amount: -1 }];
		expect(() => read({ vote: rows })).toThrow(/^'Votes > Vote 2 > Amount' must be .*; got -1$/);
		expect(() => read({ vote: [{}] })).toThrow("'Votes > Vote 1 > Amount' is required");
		expect(() => read({ vote: ['x'] })).toThrow('\'Votes > Vote 1\' must be an object; got "x"');
	});
});
