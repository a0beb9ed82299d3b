import fc from 'fast-check';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import {
	decodeErrorResult,
	decodeFunctionResult,
	getFunction,
} from '../../../../nodes/core/evm/abi/call';
import { DecodingError } from '../../../../nodes/core/evm/abi/data';
import { decodeEventLog } from '../../../../nodes/core/evm/abi/event';
import { catchThrown } from '../../support/fakes.mts';
import { parameters } from './support/anything.mts';
import { hexOf } from './support/words.mts';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: getCaseCount(3000) });

function decode(types: string, hex: string): unknown {
	return decodeFunctionResult(getFunction(abiParser('function')(`f() returns (${types})`), ''), hex)
		.result;
}

describe('bytes from a chain that are not what they should be', () => {
	test.each([
		['a bool of 2', 'bool', hexOf(2)],
		['a bool with a bit far ahead', 'bool', hexOf(2n ** 255n + 1n)],
		['a uint8 of 256', 'uint8', hexOf(256)],
		['a uint248 of 2^248', 'uint248', hexOf(2n ** 248n)],
		['an int8 of 128', 'int8', hexOf(128)],
		['an int8 of -129', 'int8', hexOf(2n ** 256n - 129n)],
		['an int200 of 2^199', 'int200', hexOf(2n ** 199n)],
		['an address of 21 bytes', 'address', hexOf(2n ** 160n)],
		['bytes4 with a fifth', 'bytes4', hexOf('1234567800ff')],
		['bytes31 with another', 'bytes31', hexOf('ff'.repeat(32))],
	])('are refused: %s', (_, type, hex) => {
		expect(() => decode(type, hex)).toThrow(DecodingError);
	});

	test.each([
		['nothing of a word', 'uint256', '0x12'],
		['a word less one byte', 'uint256', hexOf(1).slice(0, -2)],
		['half a byte', 'uint256', hexOf(1).slice(0, -1)],
		['no hex', 'uint256', `0x${'zz'.repeat(32)}`],
		['no hex behind a word', 'uint256', `${hexOf(1)}zz`],
		['half a byte behind a word', 'uint256', `${hexOf(1)}0`],
		['no 0x', 'uint256', '00'.repeat(32)],
		['one of two values', 'uint256, uint256', hexOf(1)],
		['two of three items', 'uint256[3]', hexOf(1, 2)],
		['an offset behind the end', 'string', hexOf(0x40, 0)],
		['an offset over the end', 'string', hexOf(0x21, 0)],
		['an offset of 2^48', 'string', hexOf(2 ** 48, 0)],
		['an offset of 2^256 - 32', 'string', hexOf(2n ** 256n - 32n, 0)],
		['a text of 2^40 bytes', 'string', hexOf(0x20, 2 ** 40, 'ff')],
		['a text with a byte too few', 'string', hexOf(0x20, 33, 'ff')],
		['2^40 items', 'uint256[]', hexOf(0x20, 2 ** 40, 1)],
		['2^255 items', 'uint256[]', hexOf(0x20, 2n ** 255n, 1)],
		['2^40 lists', 'uint256[][]', hexOf(0x20, 2 ** 40, 0)],
		['more items than words', 'uint256[2][]', hexOf(0x20, 2, 1, 1, 1)],
		['a list within that ends too early', 'uint256[][]', hexOf(0x20, 1, 0x20, 1)],
	])('are refused: %s', (_, types, hex) => {
		expect(() => decode(types, hex)).toThrow(DecodingError);
	});

	test.each([
		['numbers', 'uint256[]', 149_000, 151_000],
		['addresses', 'address[]', 18_000, 19_000],
	])('are refused where they are too many %s', (_, types, taken, refused) => {
		const list = (count: number) => hexOf(0x20, count, '00'.repeat(32 * count));
		expect(decode(types, list(taken))).toHaveLength(taken);
		expect(() => decode(types, list(refused))).toThrow(/has so many values/);
	});

	test.each([
		['behind the values', 'uint8', `${hexOf(7)}ff`, 7],
		['between them', 'string', hexOf(0x60, 1, 2, 2, '6869'), 'hi'],
		['behind a text, in its last word', 'string', hexOf(0x20, 1, '68ff'), 'h'],
	])('may hold more than is asked for: %s', (_, types, hex, value) => {
		expect(decode(types, hex)).toEqual(value);
	});

	test('may lack what only fills the last word of a text', () => {
		expect(decode('string', `${hexOf(0x20, 2)}6869`)).toBe('hi');
		expect(decode('bytes', `${hexOf(0x20, 2)}6869`)).toBe('0x6869');
	});

	test('may be no UTF-8: what is none becomes U+FFFD', () => {
		expect(decode('string', hexOf(0x20, 4, '68ff69c3'))).toBe('h\ufffdi\ufffd');
		expect(decode('string', hexOf(0x20, 3, 'eda080'))).toBe('\ufffd\ufffd\ufffd');
	});

	test('may lead two readers to the same words', () => {
		expect(decode('string[]', hexOf(0x20, 2, 0x40, 0x40, 2, '6869'))).toEqual(['hi', 'hi']);
	});

	test('may lead to themselves', () => {
		expect(decode('bytes', hexOf(0))).toBe('0x');
		expect(decode('uint256[][]', hexOf(0x20, 1, 0))).toEqual([[]]);
	});

	test('cannot make little into much: many texts in one place', () => {
		const count = 2000;
		const offsets = Array.from({ length: count }, () => count * 32);
		const text = Array.from({ length: count }, () => 'ff');
		const hex = hexOf(0x20, count, ...offsets, count * 32, ...text);
		expect(() => decode('string[]', hex)).toThrow('again and again');
	});

	test('cannot make little into much: lists of lists in one place', () => {
		// Each of the twelve lists refers to the next list twice, so a short text would decode to thousands of values.
		const deep = `uint8${'[]'.repeat(12)}`;
		const ladder = Array.from({ length: 12 }, () => [2, 0x40, 0x40]).flat();
		expect(() => decode(deep, hexOf(0x20, ...ladder, 0))).toThrow('again and again');
	});

	test('give a failure that is reported, or no more values than there are words to read', () => {
		const word = fc.oneof(
			fc.constantFrom(0, 1, 2, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0),
			fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
		);
		const hexes = fc.array(word, { maxLength: 40, size: 'max' }).map((words) => hexOf(...words));
		fc.assert(
			fc.property(parameters(3), hexes, (outputs, hex) => {
				const called = getFunction(abiParser('function')({ name: 'f', outputs }), '');
				const result = resultOf(() => decodeFunctionResult(called, hex));
				expect(sizeOf(result)).toBeLessThanOrEqual(4 * hex.length);
			}),
		);
	});
});

/** Returns the result, or undefined if the input is refused with one of the expected errors. */
function resultOf(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		expect(error).toBeInstanceOf(DecodingError);
		return undefined;
	}
}

function sizeOf(value: unknown): number {
	return JSON.stringify(value)?.length ?? 0;
}

describe('what did not fit', () => {
	test('is reported with the function and its outputs', () => {
		const failure = catchThrown(() => decode('uint8, bool', hexOf(1, 2)));
		expect(failure).toMatchObject({
			message: 'What f returned does not fit (uint8, bool): a bool is neither 0 nor 1',
		});
	});

	test('makes a log without arguments', () => {
		const { events } = abiParser('event')('Said(address indexed who, string what)');
		const [{ topic = '' } = {}] = events;
		const who = hexOf(1);
		const none = { event: 'Said', args: null };
		expect(decodeEventLog(events, { topics: [topic, who], data: hexOf(0x20, 99) })).toEqual(none);
		expect(
			decodeEventLog(events, { topics: [topic, hexOf(-1n + 2n ** 256n)], data: hexOf(0x20, 0) }),
		).toEqual(none);
		expect(decodeEventLog(events, { topics: [topic, `${who}00`], data: hexOf(0x20, 0) })).toEqual(
			none,
		);
		expect(decodeEventLog(events, { topics: [topic, 1], data: hexOf(0x20, 0) })).toEqual(none);
		expect(decodeEventLog(events, { topics: [topic, who], data: null })).toEqual(none);
		expect(decodeEventLog(events, { topics: [topic, who] })).toEqual(none);
		expect(decodeEventLog(events, { topics: 'none', data: '0x' })).toEqual({
			event: null,
			args: null,
		});
	});

	test('makes no error', () => {
		const { errors } = abiParser('error')('Denied(address who)');
		const selector = errors[0]?.selector ?? '';
		for (const data of [
			selector,
			`${selector}12`,
			selector + 'ff'.repeat(32),
			'0x',
			'',
			null,
			{},
		]) {
			expect(decodeErrorResult(errors, data)).toBeUndefined();
		}
	});
});
