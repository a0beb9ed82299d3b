import fc from 'fast-check';
import {
	quantityToIsoDate,
	quantityToDecimal,
	quantityToNumber,
	hexParser,
	objectListParser,
	objectOrNullParser,
	withoutNulls,
	formatBlock,
	formatReceipt,
	formatTrace,
	formatTransaction,
} from '../../../nodes/core/evm/chainObjects';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const NONE = [null, undefined, '', '0x', 'abc', 1.5, 2 ** 53, true, {}, []];

describe('a quantity of the chain', () => {
	test('loses no digit as decimal text', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
				expect(quantityToDecimal(`0x${amount.toString(16)}`)).toBe(amount.toString());
				expect(quantityToDecimal(amount.toString())).toBe(amount.toString());
			}),
		);
	});

	test.each([
		['0x0', 0],
		['0x10', 16],
		[7, 7],
		['42', 42],
		['0x1fffffffffffff', Number.MAX_SAFE_INTEGER],
		['0x20000000000000', '9007199254740992'],
	])('%p is a number as long as it fits: %p', (quantity, number) => {
		expect(quantityToNumber(quantity)).toBe(number);
	});

	test.each([
		['0x0', '1970-01-01T00:00:00.000Z'],
		['0x55ba4224', '2015-07-30T15:26:28.000Z'],
		[1_800_000_000, '2027-01-15T08:00:00.000Z'],
		['0xffffffffffffffff', null],
	])('%p as a date is %p', (quantity, date) => {
		expect(quantityToIsoDate(quantity)).toBe(date);
	});

	test.each(NONE)('is missing when it is %p', (none) => {
		expect([quantityToNumber(none), quantityToDecimal(none), quantityToIsoDate(none)]).toEqual([
			null,
			null,
			null,
		]);
	});
});

describe('an answer of the chain', () => {
	const object = objectOrNullParser('a block');
	const hex = hexParser('a balance');
	const list = objectListParser('a list');

	test('is taken when it is what was promised', () => {
		expect([object({ a: 1 }), object(null)]).toEqual([{ a: 1 }, null]);
		expect([hex('0x'), hex('0x0'), hex('0xAb')]).toEqual(['0x', '0x0', '0xAb']);
		expect([list([]), list([{ a: 1 }])]).toEqual([[], [{ a: 1 }]]);
	});

	test.each([undefined, 5, 'text', [], true])('is no object when it is %p', (none) => {
		expect(() => object(none)).toThrow(RequestFailure);
	});

	test.each([undefined, null, 5, '', '12', '0xg', {}, ['0x0']])(
		'is no hex when it is %p',
		(none) => {
			expect(() => hex(none)).toThrow('The service did not answer with a balance');
		},
	);

	test.each([undefined, null, {}, '[]', [1], [null], [[]]])('is no list when it is %p', (none) => {
		expect(() => list(none)).toThrow('The service did not answer with a list');
	});
});

describe('a simple version', () => {
	test('of a block and its transactions has numbers as people read them', () => {
		const wei = '0xde0b6b3a7640001';
		const transaction = {
			hash: '0xb',
			nonce: '0x5',
			to: null,
			value: wei,
			gas: '0x5208',
			v: '0x1',
		};
		const block = {
			number: '0x10',
			hash: '0xa',
			timestamp: '0x55ba4224',
			gasUsed: '0x5208',
			baseFeePerGas: wei,
			logsBloom: '0x00',
			transactions: ['0xb', transaction],
		};
		const simple = { hash: '0xb', nonce: 5, to: null, value: '1000000000000000001', gas: 21000 };
		expect(formatTransaction(transaction)).toEqual(simple);
		expect(formatBlock(block)).toEqual({
			number: 16,
			hash: '0xa',
			timestamp: '2015-07-30T15:26:28.000Z',
			gasUsed: 21000,
			baseFeePerGas: '1000000000000000001',
			transactionCount: 2,
			transactions: ['0xb', simple],
		});
	});

	test('of a trace names its parties, whatever its kind calls them', () => {
		const call = { callType: 'call', from: '0xa', to: '0xb', value: '0x1' };
		const at = { blockNumber: 16, transactionPosition: 0, type: 'call' };
		expect(
			formatTrace({ ...at, action: call, result: { gasUsed: '0x5208' }, subtraces: 0 }),
		).toEqual({
			...at,
			callType: 'call',
			from: '0xa',
			to: '0xb',
			value: '1',
			gasUsed: 21000,
		});
		const create = { action: { from: '0xa', value: '0x0' }, result: { address: '0xc' } };
		expect(formatTrace(create)).toEqual({ from: '0xa', to: '0xc', value: '0' });
		const suicide = { action: { address: '0xa', refundAddress: '0xb', balance: '0x2' } };
		expect(formatTrace(suicide)).toEqual({ from: '0xa', to: '0xb', value: '2' });
		const failed = { action: { from: '0xa' }, result: null, error: 'Reverted' };
		expect(formatTrace(failed)).toEqual({ from: '0xa', to: null, error: 'Reverted' });
	});

	test('leaves out only what is null', () => {
		expect(withoutNulls({ a: null, b: 0, c: '', d: false })).toEqual({ b: 0, c: '', d: false });
	});
});

describe('a receipt', () => {
	const receipt = {
		transactionHash: '0xa',
		status: '0x1',
		blockNumber: '0x10',
		blockHash: '0xb',
		transactionIndex: '0x0',
		type: '0x2',
		from: '0xc',
		to: '0xd',
		contractAddress: null,
		cumulativeGasUsed: '0xffff',
		gasUsed: '0x5208',
		effectiveGasPrice: '0x2540be400',
		logsBloom: '0x00',
		logs: [{ address: '0xe', topics: [], data: '0x', logIndex: '0x3', removed: false }],
	};

	test('says what became of the transaction and what it cost', () => {
		expect(formatReceipt(receipt)).toEqual({
			transactionHash: '0xa',
			status: 'success',
			blockNumber: 16,
			blockHash: '0xb',
			transactionIndex: 0,
			type: 2,
			from: '0xc',
			to: '0xd',
			gasUsed: 21_000,
			effectiveGasPrice: '10000000000',
			fee: '210000000000000',
			feeCoins: '0.00021',
			logs: [{ address: '0xe', topics: [], data: '0x', logIndex: 3 }],
		});
	});

	test('a contract that was created is named, and had no recipient', () => {
		const created = formatReceipt({ ...receipt, to: null, contractAddress: '0xf' });
		expect(created).toMatchObject({ to: null, contractAddress: '0xf' });
	});

	test.each([
		['0x0', 'reverted'],
		['0x1', 'success'],
		[1, 'success'],
		[undefined, undefined],
	])('status %p is %p', (status, word) => {
		expect(formatReceipt({ ...receipt, status }).status).toBe(word);
	});

	test('the fee counts blobs and the chain below, and is not guessed', () => {
		const blobs = { blobGasUsed: '0x20000', blobGasPrice: '0x3' };
		expect(formatReceipt({ ...receipt, ...blobs }).fee).toBe('210000000393216');
		expect(formatReceipt({ ...receipt, l1Fee: '0x64' })).toMatchObject({
			fee: '210000000000100',
			feeCoins: '0.0002100000000001',
		});
		expect(formatReceipt({ ...receipt, effectiveGasPrice: undefined })).not.toHaveProperty('fee');
	});

	test('one without logs, or with odd ones, has a list all the same', () => {
		expect(formatReceipt({}).logs).toEqual([]);
		expect(formatReceipt({ logs: ['x', null] }).logs).toEqual([]);
	});
});
