import { formatReceipt } from '../../../nodes/core/evm/objects';

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

test('a receipt says what became of the transaction and what it cost', () => {
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
