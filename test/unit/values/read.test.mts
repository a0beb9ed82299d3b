import { isBlank, mustBe, readAs } from '../../../nodes/core/values/read';
import { excerpt } from '../../../nodes/core/values/excerpt';
import { InvalidInput } from '../../../credentials/invalidInput';
import { quantity } from '../../../nodes/core/values/numbers';
import { thrownBy } from '../support/fakes.mts';

const readNothing = () => mustBe('a whole number');

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
		const thrown = thrownBy(() => readAs('Gas', given, readNothing));
		expect(thrown).toBeInstanceOf(InvalidInput);
		expect(thrown).toHaveProperty('message', message);
	});

	test('is a list of big integers, too', () => {
		expect(() => readAs('Gas', [1n], quantity)).toThrow(InvalidInput);
	});

	test('shows only the beginning of what is long', () => {
		const { message } = thrownBy(() =>
			readAs('Gas', 'x'.repeat(5000), readNothing),
		) as InvalidInput;
		expect(message.length).toBeLessThan(200);
		expect(message).toContain('(5000 characters)');
	});

	test('is made of InvalidValue alone: another error stays what it is', () => {
		const broken = new TypeError('Broken.');
		const thrown = thrownBy(() =>
			readAs('Gas', 1, () => {
				throw broken;
			}),
		);
		expect(thrown).toBe(broken);
	});

	test('is none when the value fits', () => {
		expect(readAs('Gas', '16', quantity)).toBe('0x10');
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
		expect(excerpt(value)).toBe(shown);
	});
});
