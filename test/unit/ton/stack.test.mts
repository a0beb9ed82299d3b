import { Address, beginCell, Cell as OracleCell } from '@ton/core';
import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { formatExitCode, formatResultCode } from '../../../nodes/core/ton/exitCodes';
import { parseArguments, readMethodResult } from '../../../nodes/core/ton/stack';
import { formatTonAddresses } from '../../../nodes/core/ton/address';
import { catching, InvalidValue } from '../../../nodes/core/values/parse';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { accounts, oracleAddress, oracleCells } from './support.mts';

fc.configureGlobal({ seed: getSeed(20261126), numRuns: getCaseCount(500) });

const base64 = (cell: OracleCell) => cell.toBoc().toString('base64');
const integers = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n });
const toHex = (value: bigint) =>
	value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
const answer = (...stack: unknown[]) => ({ gas_used: 1, exit_code: 0, stack });
const encodeAddress = (address: Address | null) =>
	base64(beginCell().storeAddress(address).endCell());

describe('arguments of a get-method', () => {
	test('are integers of any size, exactly', () => {
		fc.assert(
			fc.property(integers, (value) => {
				const expected = [{ type: 'num', value: toHex(value) }];
				expect(parseArguments([String(value)])).toEqual(expected);
				if (value >= 0n) expect(parseArguments([toHex(value)])).toEqual(expected);
				const short = Number(BigInt.asIntN(53, value));
				expect(parseArguments([short])).toEqual([{ type: 'num', value: toHex(BigInt(short)) }]);
			}),
		);
	});

	test('are addresses, in a slice of their own', () => {
		fc.assert(
			fc.property(accounts, (account) => {
				const { bounceable, raw } = formatTonAddresses(account);
				const expected = base64(beginCell().storeAddress(oracleAddress(account)).endCell());
				for (const address of [bounceable, raw])
					expect(parseArguments([{ address }])).toEqual([{ type: 'slice', value: expected }]);
			}),
		);
	});

	test('are cells and slices', () => {
		fc.assert(
			fc.property(oracleCells, (cell) => {
				const given = base64(cell);
				expect(parseArguments([{ cell: given }, { slice: given }])).toEqual([
					{ type: 'cell', value: given },
					{ type: 'slice', value: given },
				]);
			}),
		);
	});

	test.each([
		['no list', { address: '' }, 'a JSON list'],
		['too many', new Array(256).fill(1), 'a JSON list of at most 255'],
		['half a number', [1.5], 'a whole number'],
		['a number that has lost digits', [2 ** 60], 'has lost digits'],
		['a number that is too large', [String(2n ** 256n)], 'from -2^256 to 2^256 - 1'],
		['a number that is too small', [String(-(2n ** 256n) - 1n)], 'from -2^256 to 2^256 - 1'],
		['a word', ['abc'], 'a whole number, or an object'],
		['nothing', [null], 'a whole number, or an object'],
		['an object without a key', [{}], 'a whole number, or an object'],
		['an object with two keys', [{ cell: '', slice: '' }], 'a whole number, or an object'],
		['another key', [{ tuple: [] }], 'a whole number, or an object'],
		['an address that is none', [{ address: 'x' }], 'an address of 48 characters'],
		['a cell that is none', [{ cell: 'AAAA' }], 'a bag of cells'],
	])('are refused: %s', (_, given, words) => {
		expect(() => parseArguments(given)).toThrow(InvalidValue);
		expect(() => parseArguments(given)).toThrow(words);
	});
});

describe('what a get-method gives', () => {
	test('has its integers exactly: numbers of up to 48 bits, else text', () => {
		fc.assert(
			fc.property(fc.oneof(integers, fc.bigInt({ min: -(2n ** 50n), max: 2n ** 50n })), (value) => {
				const { result: read } = readMethodResult(answer({ type: 'num', value: toHex(value) }));
				expect(BigInt(read as string)).toBe(value);
				const size = value < 0n ? -value : value;
				expect(typeof read).toBe(size < 2n ** 48n ? 'number' : 'string');
			}),
		);
	});

	test('has an address alone in a slice as an address, and other slices as they are', () => {
		fc.assert(
			fc.property(accounts, oracleCells, (account, cell) => {
				const address = oracleAddress(account);
				const slices = [encodeAddress(address), base64(cell)].map((value) => ({
					type: 'slice',
					value,
				}));
				const isNone = cell.bits.toString() === '2_' && cell.refs.length === 0;
				expect(readMethodResult(answer(...slices))).toEqual({
					result: [address.toString(), isNone ? null : base64(cell)],
				});
			}),
		);
	});

	test('has an address alone in a cell as an address too, with the cell beside it', () => {
		fc.assert(
			fc.property(accounts, (account) => {
				const address = oracleAddress(account);
				const cell = { type: 'cell', value: encodeAddress(address) };
				expect(readMethodResult(answer(cell))).toEqual({
					result: address.toString(),
					cell: cell.value,
				});
				expect(readMethodResult(answer(number, cell, cell))).toEqual({
					result: [1, address.toString(), address.toString()],
					cell: [null, cell.value, cell.value],
				});
				const slice = { ...cell, type: 'slice' };
				expect(readMethodResult(answer(slice, cell))).toEqual({
					result: [address.toString(), address.toString()],
					cell: [null, cell.value],
				});
				// Inside of a tuple, the service tells cells and slices apart.
				expect(readMethodResult(answer({ type: 'tuple', value: [cell, slice] }))).toEqual({
					result: [cell.value, address.toString()],
				});
			}),
		);
	});

	const standard = beginCell().storeAddress(new Address(0, Buffer.alloc(32, 7)));

	test.each([
		['more bits', beginCell().storeBuilder(standard).storeBit(true)],
		['a reference', beginCell().storeBuilder(standard).storeRef(beginCell().endCell())],
		['another form of address', beginCell().storeUint(0b01, 2).storeUint(0, 265)],
		['an anycast address', beginCell().storeUint(0b101, 3).storeUint(0, 264)],
		['two bits that are none', beginCell().storeUint(0b01, 2)],
		['nothing', beginCell()],
	])('has a cell with %s as it is, without doubt', (_, builder) => {
		const value = base64(builder.endCell());
		for (const type of ['cell', 'slice'])
			expect(readMethodResult(answer({ type, value }))).toEqual({ result: value });
	});

	test('has no address in an exotic cell', () => {
		const hash = beginCell().storeUint(2, 8).storeUint(1n, 256).endCell({ exotic: true });
		const value = base64(hash);
		expect(readMethodResult(answer({ type: 'cell', value }))).toEqual({ result: value });
	});

	test('that may be no address has the two bits beside it', () => {
		expect(readMethodResult(answer({ type: 'cell', value: none }))).toEqual({
			result: null,
			cell: none,
		});
	});

	const none = base64(beginCell().storeUint(0, 2).endCell());
	const number = { type: 'num', value: '0x1' };

	test.each([
		['nothing', [], []],
		['one value', [number], 1],
		['the least integer', [{ type: 'num', value: toHex(-(2n ** 256n)) }], String(-(2n ** 256n))],
		['several', [number, { type: 'num', value: '-0x2' }], [1, -2]],
		['null', [{ type: 'list', value: [] }], null],
		['null by its name', [{ type: 'null' }], null],
		['an empty tuple', [{ type: 'tuple', value: [] }], []],
		['a list', [{ type: 'list', value: [number, number] }], [1, 1]],
		['tuples in tuples', [{ type: 'tuple', value: [{ type: 'tuple', value: [number] }] }], [[1]]],
		['no address', [{ type: 'slice', value: none }], null],
	])('may be %s', (_, stack, expected) => {
		expect(readMethodResult(answer(...stack))).toEqual({ result: expected });
	});

	let deep: object = number;
	for (let depth = 0; depth < 600; depth++) deep = { type: 'tuple', value: [deep] };

	test.each([
		['no object', 'text', 'Its answer must be a JSON object'],
		['no code', { stack: [] }, 'Its exit_code must be a whole number'],
		['no stack', { exit_code: 0 }, 'Its stack must be a list'],
		['an entry that is none', answer(7), 'Its stack[0] must be a JSON object'],
		['another type', answer({ type: 'cont' }), 'Its stack[0].type must be num, cell'],
		['an inherited type', answer({ type: 'constructor' }), 'Its stack[0].type must be num'],
		[
			'a number that is none',
			answer({ type: 'num', value: 1.5 }),
			'Its stack[0].value must be an integer',
		],
		[
			'a cell that is none',
			answer({ type: 'cell', value: 'x' }),
			'Its stack[0].value must be a bag',
		],
		[
			'a tuple that is none',
			answer({ type: 'tuple', value: 1 }),
			'Its stack[0].value must be a list',
		],
		['endless depth', answer(deep), 'nested at most 500 levels'],
	])('is refused where it is %s', (_, json, words) => {
		const failure = catching(RequestFailure, () => readMethodResult(json));
		expect(failure).toMatchObject({
			message: 'The service did not answer with the result of a get-method',
			description: expect.stringContaining(words),
		});
	});

	test.each([
		[
			11,
			'The get-method failed with exit code 11 (the contract does not know this, or has no such get-method)',
		],
		[-13, 'The get-method failed with exit code -13'],
		[777, 'The get-method failed with exit code 777'],
	])('is a failure with code %p', (code, message) => {
		expect(() => readMethodResult({ exit_code: code, stack: [] })).toThrow(
			new RequestFailure(message),
		);
	});

	test('is none with the alternative code of success', () => {
		expect(readMethodResult({ exit_code: 1, stack: [number] })).toEqual({ result: 1 });
	});
});

test('codes are put into words by the contract and the phase that they belong to', () => {
	expect(formatExitCode(33, 'v3r2')).toBe('exit code 33 (the seqno is not the next one)');
	expect(formatExitCode(35, 'v4r2')).toBe('exit code 35 (the signature is wrong)');
	expect(formatExitCode(36, 'v4r2')).toBe('exit code 36 (the transfer is no longer valid)');
	expect(formatExitCode(133, 'v5r1')).toBe('exit code 133 (the seqno is not the next one)');
	expect(formatExitCode(33)).toBe('exit code 33');
	expect(formatResultCode(33)).toBe('result code 33 (the list of actions is too long)');
	expect(formatExitCode(706, 'jettonWallet')).toBe('exit code 706 (the jettons do not suffice)');
	expect(formatExitCode(9, 'nft')).toBe('exit code 9 (a cell held less than was read from it)');
});
