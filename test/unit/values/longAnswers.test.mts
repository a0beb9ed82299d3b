import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { parsePaymentRequired } from '../../../nodes/core/evm/httpPayment/required';
import { feltListParser } from '../../../nodes/core/stark/felts';
import { parsePage } from '../../../nodes/core/ton/reader';
import { readMethodResult } from '../../../nodes/core/ton/stack';

/**
 * These tests check that an answer with too many values is refused by their number, before the values are read and
 * block n8n.
 */

test('a list has at most 100,000 felts', () => {
	const parse = feltListParser('a list of felts');
	expect(parse(Array(100_000).fill('0x1'))).toHaveLength(100_000);
	expect(() => parse(Array(100_001).fill('0x1'))).toThrow('a list of felts of at most 100000');
});

const readStack = (stack: readonly object[]) => readMethodResult({ exit_code: 0, stack });
const num = { type: 'num', value: '0x1' };

test('a stack has at most 10,000 values, those in tuples included', () => {
	expect(readStack(Array(10_000).fill(num)).result).toHaveLength(10_000);
	const refusal = expect.objectContaining({
		description: expect.stringContaining('one of at most 10000 values in the stack'),
	});
	expect(() => readStack(Array(10_001).fill(num))).toThrow(refusal);
	const tuple = { type: 'tuple', value: Array(5000).fill(num) };
	expect(() => readStack([tuple, tuple])).toThrow(refusal);
});

test('an offer whose token has a version of more than 1,000 characters cannot be used', () => {
	const offer = {
		...{ scheme: 'exact', network: 'base', maxAmountRequired: '1', maxTimeoutSeconds: 60 },
		...{ asset: `0x${'1'.repeat(40)}`, payTo: `0x${'2'.repeat(40)}` },
	};
	const read = (version: string) =>
		parsePaymentRequired({
			x402Version: 1,
			accepts: [{ ...offer, extra: { name: 'USDC', version } }],
		}).offers[0];
	expect(read('2'.repeat(1000))).toMatchObject({ version: expect.any(String) });
	expect(read('2'.repeat(1001))).toEqual({
		problem: expect.stringContaining('text of at most 1000 characters'),
	});
});

test('an index of the TON chain gives at most 1,000 rows at once', () => {
	const parse = (rows: number) => parsePage('jettons', 'rows', { rows: Array(rows).fill({}) });
	expect(parse(1000).rows).toHaveLength(1000);
	expect(() => parse(1001)).toThrow('jettons in at most 1000 rows');
});

test('an error quotes little of a long name', () => {
	expect(new InvalidInput('a'.repeat(1_000_000)).message).toHaveLength(2001);
});
