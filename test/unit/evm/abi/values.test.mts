import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import {
	decodeErrorResult,
	decodeFunctionResult,
	getFunction,
	NothingReturned,
} from '../../../../nodes/core/evm/abi/call';
import { decodeEventLog } from '../../../../nodes/core/evm/abi/event';
import { catchThrown } from '../../support/fakes.mts';
import { hexOf } from './support/words.mts';

function result(outputs: string, hex: string): unknown {
	return decodeFunctionResult(
		getFunction(abiParser('function')(`f() returns (${outputs})`), ''),
		hex,
	);
}

const ALL = 2n ** 256n;

describe('a decoded value', () => {
	test.each([
		['of 48 bits is a number', 'uint48', 2n ** 48n - 1n, 2 ** 48 - 1],
		['of 56 bits is text', 'uint56', 1, '1'],
		['of 256 bits is text', 'uint256', ALL - 1n, (ALL - 1n).toString()],
		['of 48 bits and below zero is a number', 'int48', ALL - 2n ** 47n, -(2 ** 47)],
		['of 56 bits and below zero is text', 'int56', ALL - 1n, '-1'],
		['of 256 bits and below zero is text', 'int256', 2n ** 255n, `-${2n ** 255n}`],
		['is true', 'bool', 1, true],
		['is false', 'bool', 0, false],
		[
			'is an address with its checksum',
			'address',
			BigInt('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'),
			'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
		],
		['is the address of nobody', 'address', 0, `0x${'0'.repeat(40)}`],
		['is a few bytes', 'bytes4', '0012ff00', '0x0012ff00'],
	])('%s', (_, type, word, value) => {
		expect(result(type, hexOf(word))).toEqual({ result: value });
	});

	test('is text', () => {
		expect(result('string', hexOf(0x20, 6, 'e2889e20c3a4'))).toEqual({ result: '∞ ä' });
	});

	test('is an object when it is a tuple with names, else a list', () => {
		expect(result('(bool a, uint8 b)', hexOf(1, 2))).toEqual({ result: { a: true, b: 2 } });
		expect(result('(bool a, uint8)', hexOf(1, 2))).toEqual({ result: [true, 2] });
		expect(result('(bool a, uint8 a)', hexOf(1, 2))).toEqual({ result: [true, 2] });
		expect(result('(bool a, uint8 constructor)', hexOf(1, 2))).toEqual({ result: [true, 2] });
		expect(result('(bool arg0, uint8 arg1)', hexOf(1, 2))).toEqual({
			result: { arg0: true, arg1: 2 },
		});
	});
});

describe('a result', () => {
	test('of one output is the result, named or not', () => {
		expect(result('uint8', hexOf(1))).toEqual({ result: 1 });
		expect(result('uint8 count', hexOf(1))).toEqual({ result: 1 });
		expect(result('uint8[] counts', hexOf(0x20, 0))).toEqual({ result: [] });
	});

	test('of several outputs with names has these', () => {
		expect(result('uint8 a, bool b', hexOf(1, 1))).toEqual({ a: 1, b: true });
	});

	test.each(['uint8 a, bool', 'uint8, bool', 'uint8 a, bool a', 'uint8 a, bool __proto__'])(
		'of several outputs that do not all have a name of their own is a list: %s',
		(outputs) => {
			expect(result(outputs, hexOf(1, 1))).toEqual({ result: [1, true] });
		},
	);

	test('without outputs is what came', () => {
		const called = getFunction(abiParser('function')('f()'), '');
		expect(decodeFunctionResult(called, '0x')).toEqual({ result: '0x' });
		expect(decodeFunctionResult(called, '0x1234')).toEqual({ result: '0x1234' });
	});

	test('of nothing, where there should be something, is a failure of its own', () => {
		const failure = catchThrown(() => result('uint8', '0x'));
		expect(failure).toBeInstanceOf(NothingReturned);
		expect(failure).toMatchObject({
			message: 'The contract has no function f(), or there is no contract at this address',
		});
		expect(catchThrown(() => result('uint8', '0x00'))).not.toBeInstanceOf(NothingReturned);
	});
});

describe('a log', () => {
	const erc20 = 'event Transfer(address indexed from, address indexed to, uint256 value)';
	const erc721 = 'event Transfer(address indexed from, address indexed to, uint256 indexed id)';
	const [a, b] = [hexOf(1), hexOf(2)];
	const [from, to] = [`0x${'1'.padStart(40, '0')}`, `0x${'2'.padStart(40, '0')}`];
	const events = (...given: string[]) => abiParser('event')(given).events;
	const topic = events(erc20)[0]?.topic ?? '';

	test('is read with its event', () => {
		const log = { topics: [topic, a, b], data: hexOf(3) };
		const reported = { event: 'Transfer', args: { from, to, value: '3' } };
		expect(decodeEventLog(events(erc20), log)).toEqual(reported);
		expect(decodeEventLog(events('event A()', erc721, erc20), log)).toEqual(reported);
		const upper = { ...log, topics: [`0x${topic.slice(2).toUpperCase()}`, a, b] };
		expect(decodeEventLog(events(erc20), upper)).toEqual(reported);
	});

	test('has no arguments when another number of them is indexed', () => {
		const log = { topics: [topic, a, b, hexOf(3)], data: '0x' };
		expect(decodeEventLog(events(erc20), log)).toEqual({ event: 'Transfer', args: null });
		expect(decodeEventLog(events(erc20), { ...log, data: hexOf(3) }).args).toBeNull();
		expect(decodeEventLog(events(erc20, erc721), log)).toMatchObject({ args: { id: '3' } });
		expect(decodeEventLog(events(erc20), { ...log, topics: [topic] })).toEqual({
			event: 'Transfer',
			args: null,
		});
	});

	test('of another event has no name', () => {
		const none = { event: null, args: null };
		expect(decodeEventLog(events(erc20), { topics: [a], data: '0x' })).toEqual(none);
		expect(decodeEventLog(events(erc20), { topics: [], data: '0x' })).toEqual(none);
		expect(decodeEventLog([], { topics: [topic, a, b], data: hexOf(3) })).toEqual(none);
	});

	test('keeps the hash of what is hashed, and names what has no name', () => {
		const mixed = events('event M(string indexed, uint8, (bool a) indexed pair, bytes b, bytes b)');
		const [{ topic: first = '' } = {}] = mixed;
		const data = hexOf(7, 0x60, 0x60, 1, 'ff');
		expect(decodeEventLog(mixed, { topics: [first, a, b], data })).toEqual({
			event: 'M',
			args: { arg0: a, arg1: 7, pair: b, arg3: '0xff', arg4: '0xff' },
		});
	});

	test('cannot name an argument so that it changes what objects are', () => {
		const odd = events('event O(uint8 __proto__, uint8 constructor, uint8 toString)');
		const { args } = decodeEventLog(odd, { topics: [odd[0]?.topic], data: hexOf(1, 2, 3) });
		expect(Object.entries(args ?? {})).toEqual([
			['arg0', 1],
			['arg1', 2],
			['toString', 3],
		]);
		expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
	});
});

describe('an error', () => {
	const { errors } = abiParser('error')(
		'error Denied(address who)\nerror Odd(string, bytes2, uint8[] list)',
	);
	const [denied, odd] = errors.map(({ selector }) => selector);

	test('is decoded with its arguments', () => {
		const data = denied + hexOf(1).slice(2);
		const who = `0x${'1'.padStart(40, '0')}`;
		const reported = { name: 'Denied', args: { who }, text: `Denied(who: ${who})` };
		expect(decodeErrorResult(errors, data)).toEqual(reported);
		expect(decodeErrorResult(errors, `0x${data.slice(2).toUpperCase()}`)).toEqual(reported);
	});

	test('has no names where there are none, and cut where it is long', () => {
		const text = Array.from({ length: 10 }, () => '61'.repeat(32));
		const data = odd + hexOf(0x60, '1234', 0x1c0, 320, ...text, 2, 1, 2).slice(2);
		const cut = `"${'a'.repeat(79)}… (320 characters)`;
		expect(decodeErrorResult(errors, data)).toEqual({
			name: 'Odd',
			args: { arg0: 'a'.repeat(320), arg1: '0x1234', list: [1, 2] },
			text: `Odd(${cut}, 0x1234, list: [1,2])`,
		});
	});

	test('of another ABI is none', () => {
		expect(decodeErrorResult(errors, '0x08c379a0')).toBeUndefined();
	});
});
