import type { Field } from '../../../nodes/core/operation/field';
import { limit, returnAll } from '../../../nodes/core/operation/sharedFields';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { listParser } from '../../../nodes/core/values/json';
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

describe('a field', () => {
	test('without an expression is the same for all items, and n8n evaluates nothing', () => {
		const evaluating = createSource({ amount: '16' }, { amount: 'evaluated' });
		const reader = createParameterParser(evaluating, [amount]);
		expect([0, 1, 2].map((item) => reader(item).amount)).toEqual(['0x10', '0x10', '0x10']);
	});

	test('is read as its type says, in rows and in lists too', () => {
		const size = { displayName: 'Size', name: 'size', type: 'number', default: 1 } as const;
		const kinds = {
			displayName: 'Kinds',
			name: 'kinds',
			type: 'multiOptions',
			default: [],
			options: [{ name: 'B', value: 'b' }],
		} as const satisfies Field;
		const list = {
			...amount,
			name: 'list',
			parse: listParser(parseQuantity),
		} as const satisfies Field;
		const rows = {
			displayName: 'Rows',
			name: 'rows',
			type: 'fixedCollection',
			default: {},
			options: [{ name: 'row', displayName: 'Row', values: [{ ...amount, default: '0' }, size] }],
		} as const satisfies Field;
		const given = { amount: 16, kinds: ['b'], list: '1', rows: { row: {} } };
		expect(
			createParameterParser(createSource(given), [amount, kinds, list, rows, size])(0),
		).toEqual({
			amount: '0x10',
			kinds: ['b'],
			list: ['0x1'],
			size: 1,
			rows: [{ amount: '0x0', size: 1 }],
		});
	});

	test('with an expression is evaluated for each item', () => {
		const given = createSource(
			{ amount: '={{ $json.a }}' },
			{ amount: 1 },
			{ amount: '2' },
			{ amount: 3n },
		);
		const reader = createParameterParser(given, [amount]);
		expect([0, 1, 2].map((item) => reader(item).amount)).toEqual(['0x1', '0x2', '0x3']);
	});

	test('that is hidden is not read at all', () => {
		const given = createSource({ returnAll: true, limit: 'nonsense' });
		expect(createParameterParser(given, [returnAll, limit])(0)).toEqual({ returnAll: true });
	});

	test('that is hidden for one item is read for another', () => {
		const given = createSource(
			{ returnAll: '={{ $json.all }}' },
			{ returnAll: true },
			{ returnAll: 'false' },
		);
		const reader = createParameterParser(given, [returnAll, limit]);
		expect([reader(0), reader(1)]).toEqual([{ returnAll: true }, { returnAll: false, limit: 50 }]);
	});

	test('has its default when nothing was given', () => {
		expect(createParameterParser(createSource({}), [returnAll, limit])(0)).toEqual({
			returnAll: false,
			limit: 50,
		});
	});

	test.each([
		['boolean', 'yes', '\'It\' must be true or false; got "yes"'],
		['number', 'many', '\'It\' must be a number; got "many"'],
		['string', {}, "'It' must be text; got {}"],
		['string', true, "'It' must be text; got true"],
	] as const)('of type %s is checked by its type: %p', (type, given, message) => {
		const field = { displayName: 'It', name: 'it', type, default: '' } as const;
		expect(() => createParameterParser(createSource({ it: given }), [field])(0)).toThrow(
			new InvalidInput(message),
		);
	});

	test('that offers choices takes nothing else', () => {
		const options = [
			{ name: 'A', value: 'a' },
			{ name: 'B', value: 'b' },
		] as const;
		const field = { displayName: 'It', name: 'it', default: 'a', options } as const;
		const one = (it: unknown) =>
			createParameterParser(createSource({ it }), [{ ...field, type: 'options' }])(0).it;
		const many = (it: unknown) =>
			createParameterParser(createSource({ it }), [{ ...field, type: 'multiOptions' }])(0).it;
		expect(one('b')).toBe('b');
		expect(many(['b', 'a'])).toEqual(['b', 'a']);
		expect(() => one('c')).toThrow('\'It\' must be one of a, b; got "c"');
		expect(() => many(['a', 'c'])).toThrow('\'It\' must be one of a, b; got ["a","c"]');
		expect(() => many('a')).toThrow('\'It\' must be a list; got "a"');
	});

	test.each(['', '  ', null])('that is required is refused when it is %p', (given) => {
		const reader = createParameterParser(createSource({ amount: given }), [amount]);
		expect(() => reader(0)).toThrow(new InvalidInput("'Amount' is required"));
	});
});
