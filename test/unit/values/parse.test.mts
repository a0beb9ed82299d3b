import { isBlank, parseField, InvalidValue } from '../../../nodes/core/values/parse';
import { formatExcerpt } from '../../../nodes/core/values/excerpt';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { parseQuantity } from '../../../nodes/core/values/numbers';
import { catchThrown } from '../support/fakes.mts';

const readNothing = () => {
	throw new InvalidValue('a whole number');
};

describe('invalid input', () => {
	test.each([
		['x', '\'Gas\' must be a whole number; got "x"'],
		[-1, "'Gas' must be a whole number; got -1"],
		[2n ** 256n, `'Gas' must be a whole number; got ${2n ** 256n}`],
		[true, "'Gas' must be a whole number; got true"],
		[{ a: 1 }, '\'Gas\' must be a whole number; got {"a":1}'],
		['', "'Gas' must be a whole number; it is empty"],
		[null, "'Gas' must be a whole number; it is empty"],
		[undefined, "'Gas' must be a whole number; it is empty"],
		[NaN, "'Gas' must be a whole number; got NaN"],
		[Infinity, "'Gas' must be a whole number; got Infinity"],
	])('of %p names the field, what is wanted and what was given', (given, message) => {
		const thrown = catchThrown(() => parseField('Gas', given, readNothing));
		expect(thrown).toBeInstanceOf(InvalidInput);
		expect(thrown).toHaveProperty('message', message);
	});

	test('that is an expression as text is refused with how to make it one', () => {
		const advice = (given: unknown) =>
			(catchThrown(() => parseField('Gas', given, readNothing)) as InvalidInput).description;
		expect(advice('{{ $json.gas }}')).toMatch(/switch the field from Fixed to Expression/);
		expect(advice('{ "gas": { "limit": 1 } }')).toBeUndefined();
	});

	test.each(['1,5', '1.234,5', '1,234.5', '-0,1', '20,5 gwei'])(
		'that is written %p is refused with advice about points',
		(given) => {
			const thrown = catchThrown(() => parseField('Amount', given, readNothing)) as InvalidInput;
			expect(thrown.description).toMatch(/with a point, not a comma/);
		},
	);

	test.each(['a,b', '1 5', '', 1.5, `1,${'5'.repeat(100)}`])(
		'that is %p is refused without a word about points',
		(given) => {
			const thrown = catchThrown(() => parseField('Amount', given, readNothing)) as InvalidInput;
			expect(thrown.description).toBeUndefined();
		},
	);

	test('is a list of big integers, too', () => {
		expect(() => parseField('Gas', [1n], parseQuantity)).toThrow(InvalidInput);
	});

	test('shows only the beginning of what is long', () => {
		const { message } = catchThrown(() =>
			parseField('Gas', 'x'.repeat(5000), readNothing),
		) as InvalidInput;
		expect(message.length).toBeLessThan(200);
		expect(message).toContain('(5000 characters)');
	});

	test('is made of InvalidValue alone: another error stays what it is', () => {
		const broken = new TypeError('Broken.');
		const thrown = catchThrown(() =>
			parseField('Gas', 1, () => {
				throw broken;
			}),
		);
		expect(thrown).toBe(broken);
	});

	test('is none when the value fits', () => {
		expect(parseField('Gas', '16', parseQuantity)).toBe('0x10');
	});
});

describe('a value', () => {
	test('is blank only when nothing was given', () => {
		expect([undefined, null, ''].map(isBlank)).toEqual([true, true, true]);
		expect([0, false, ' ', [], {}, NaN].map(isBlank)).toEqual(Array(6).fill(false));
	});

	test.each([
		['text', '"text"'],
		[5, '5'],
		[5n, '5'],
		[undefined, 'undefined'],
		[[1, 'a'], '[1,"a"]'],
	])('%p is shown as %s', (value, shown) => {
		expect(formatExcerpt(value)).toBe(shown);
	});
});
