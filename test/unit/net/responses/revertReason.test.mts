import fc from 'fast-check';
import {
	findMissingReason,
	findRevertData,
	decodeRevertReason,
} from '../../../../nodes/core/net/responses/reverts';
import { anyCharacter } from '../../../harness/anyText.mts';
import { getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');

/** Encodes the error Error(string) as Solidity does. */
function errorData(reason: string): string {
	const hex = Buffer.from(reason).toString('hex');
	const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
	return `0x08c379a0${word(32)}${word(hex.length / 2)}${padded}`;
}

const panicData = (code: number | bigint) => `0x4e487b71${word(code)}`;

describe('the reason of a revert', () => {
	test('is the text that the contract gave', () => {
		expect(decodeRevertReason(errorData('ERC20: transfer amount exceeds balance'))).toBe(
			'ERC20: transfer amount exceeds balance',
		);
	});

	test('is any text, of any length and in any script', () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 80 }), (reason) => {
				expect(decodeRevertReason(errorData(reason))).toBe(reason);
			}),
		);
	});

	test('is read from hex digits in capitals too', () => {
		const data = `0x${errorData('No.').slice(2).toUpperCase()}`;
		expect(decodeRevertReason(data)).toBe('No.');
	});

	test.each([
		[0x01, 'panic 0x1 (an assertion failed)'],
		[0x11, 'panic 0x11 (arithmetic overflow or underflow)'],
		[0x12, 'panic 0x12 (division by zero)'],
		[0x32, 'panic 0x32 (array index out of bounds)'],
		[0x51, 'panic 0x51 (call of an uninitialized function)'],
		[0x99, 'panic 0x99'],
		[0x100, 'panic 0x100'],
		[2n ** 255n, `panic 0x8${'0'.repeat(63)}`],
	])('of panic %p is the meaning of the code', (code, reason) => {
		expect(decodeRevertReason(panicData(code))).toBe(reason);
	});

	test.each([
		['an error of the contract itself', `0xe450d38c${word(7)}`],
		['a selector alone', '0xe450d38c'],
		['a byte', '0x01'],
		['Error(string) without anything', '0x08c379a0'],
		['Error(string) without a length', `0x08c379a0${word(32)}`],
		['Error(string) whose text is cut off', errorData('cut off here').slice(0, -50)],
		['Error(string) with a length beyond reason', `0x08c379a0${word(32)}${word(2n ** 255n)}`],
		['Panic(uint256) without a code', '0x4e487b71'],
		['Panic(uint256) with half a code', panicData(0x11).slice(0, -32)],
	])('is the data itself when it cannot be read: %s', (_, data) => {
		expect(decodeRevertReason(data)).toBe(`data ${data}`);
	});

	test.each([undefined, null, '', '0x', 'abc', '0xabc', '0xzz', 'Reverted 0x', 5, {}, ['0x00']])(
		'is unknown without data, such as %p',
		(data) => {
			expect(decodeRevertReason(data)).toBeUndefined();
		},
	);
});

const CUSTOM = '0xe450d38c';

describe('the data of a revert', () => {
	test.each([
		['data (geth, anvil)', { code: 3, message: 'execution reverted', data: CUSTOM }],
		['data.data (hardhat)', { message: 'Error: …', data: { message: 'Error: …', data: CUSTOM } }],
		[
			'data.result (Ganache, of an estimate)',
			{
				message: 'VM Exception while processing transaction: revert',
				code: -32000,
				name: 'RuntimeError',
				data: { hash: null, programCounter: 16, result: CUSTOM, reason: null, message: 'revert' },
			},
		],
		[
			'data by the hash of the transaction (older Ganache)',
			{ data: { stack: 'at …', [`0x${'12'.repeat(32)}`]: { error: 'revert', return: CUSTOM } } },
		],
		['data.originalError', { data: { originalError: { code: 3, data: CUSTOM } } }],
		['originalError', { originalError: { code: 3, data: CUSTOM } }],
		['data, behind a word (Parity, Nethermind)', { code: -32015, data: `Reverted ${CUSTOM}` }],
		['the message', { message: `VM execution error: Reverted ${CUSTOM}`, data: {} }],
		['two places, one of them empty', { data: { data: '0x', result: CUSTOM } }],
	])('stands in %s', (_where, error) => {
		expect(findRevertData(error)).toBe(CUSTOM);
	});

	test.each([
		undefined,
		'0x12',
		{},
		{ data: '0x' },
		{ data: 'Reverted 0x' },
		{ data: 'Reverted 0x123' },
		{ data: '0xzz' },
		{ data: null },
		{ data: [CUSTOM] },
		{ data: { data: { data: CUSTOM } } },
		{ data: { data: 7, result: null, originalError: 'no' } },
		{ data: { [`0x${'12'.repeat(32)}`]: null, x: { return: CUSTOM } } },
	])('is not in %p', (error) => {
		expect(findRevertData(error)).toBeUndefined();
	});
});

describe('of a revert adds only what the node has not said:', () => {
	const panic = panicData(0x12);
	const long = `${CUSTOM}${word(7)}`;
	test.each([
		['nothing', 'Error: VM Exception …: reverted with panic code 0x12 (Division …)', panic],
		['nothing', 'execution reverted: panic: division or modulo by zero (0x12)', panic],
		['nothing', 'execution reverted: division or modulo by zero', panic],
		['nothing', 'reverted with an unrecognized custom error (return data: 0xe450d38c)', CUSTOM],
		['nothing', `execution reverted: custom error ${CUSTOM}: ${word(7)}`, long],
		['nothing', "reverted with reason string 'No.'", errorData('No.')],
		['nothing', 'reverted', '0x'],
	])('%s beyond %p', (_what, words, data) => {
		expect(findMissingReason(words, data)).toBeUndefined();
	});

	test.each([
		['panic 0x12 (division by zero)', 'VM Exception while processing transaction: revert', panic],
		['panic 0x12 (division by zero)', 'execution reverted: revert', panic],
		['panic 0x12 (division by zero)', 'panic code 0x1212', panic],
		[`data ${long}`, `execution reverted: custom error ${CUSTOM}`, long],
		['No.', 'execution reverted', errorData('No.')],
	])('%p beyond %p', (reported, words, data) => {
		expect(findMissingReason(words, data)).toBe(reported);
	});
});

test('data of any length is found behind the word that it was reverted', () => {
	const data = `0x556f1830${word(5).repeat(400)}`;
	expect(
		findRevertData({ code: -32015, message: 'VM execution error.', data: `Reverted ${data}` }),
	).toBe(data);
	expect(findRevertData({ code: -32015, message: `execution reverted: ${data}.` })).toBe(data);
});
