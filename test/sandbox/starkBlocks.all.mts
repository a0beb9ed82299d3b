import { hash } from 'starknet';
import { BOUNDS, signInvoke } from './support/starkInvoke.mts';
import { openStarkNode } from './support/starkNode.mts';

const node = openStarkNode();
const { sandbox, account, contractOf: addressOf } = node;
const emit = async (count: string) =>
	await node.send({ to: addressOf('everything'), function: 'emit_many', calldata: [count] });

interface Page {
	events: Record<string, unknown>[];
	continuation_token?: string;
}

const readPage = async (filter: object = {}) =>
	await node.read<Page>('getEvents', {
		chunk_size: 100,
		address: addressOf('everything'),
		...filter,
	});

const fieldsOf = (thing: object) => Object.keys(thing);

test('blocks follow each other, and those on L1 are known by their status', async () => {
	await node.addBlocks(3);
	await sandbox.control('POST', '/stark/l1', { block: 1 });
	const blocks = await Promise.all(
		[0, 1, 2, 3].map((block_number) => node.read('getBlockWithTxHashes', { block_number })),
	);
	for (const [index, block] of blocks.slice(1).entries()) {
		expect(block.parent_hash).toBe(blocks[index]?.block_hash);
		expect(block.timestamp).toBe(Number(blocks[index]?.timestamp) + 4);
	}
	const statuses = blocks.map(({ status }) => status);
	expect(statuses).toEqual([
		'ACCEPTED_ON_L1',
		'ACCEPTED_ON_L1',
		'ACCEPTED_ON_L2',
		'ACCEPTED_ON_L2',
	]);
	expect(await node.read('getBlockWithTxHashes', 'l1_accepted')).toEqual(blocks[1]);
	expect(await node.read('blockHashAndNumber')).toEqual({
		block_hash: blocks[3]?.block_hash,
		block_number: 3,
	});
});

describe('a reorganization', () => {
	const replace = async (body: object) => await sandbox.control('POST', '/stark/reorg', body);

	test('replaces blocks and drops their transactions', async () => {
		const { transaction_hash } = await emit('0x1');
		const before = await node.read('getBlockWithTxHashes', 'latest');
		await replace({ depth: 1 });
		const after = await node.read('getBlockWithTxHashes', 'latest');
		expect(after).toMatchObject({
			block_number: 1,
			parent_hash: before.parent_hash,
			transactions: [],
		});
		expect(after.block_hash).not.toBe(before.block_hash);
		expect(await node.refusal('getTransactionReceipt', transaction_hash)).toBe(29);
		expect(await node.refusal('getBlockWithTxHashes', { block_hash: before.block_hash })).toBe(24);
		expect(await node.read('getNonce', 'latest', account(0).address)).toBe('0x0');
	});

	test('or keeps them, in blocks with other hashes', async () => {
		const { transaction_hash } = await emit('0x2');
		const before = await readPage();
		await replace({ depth: 1, keep: true });
		const after = await readPage();
		expect(after.events.map(({ keys }) => keys)).toEqual(before.events.map(({ keys }) => keys));
		expect(after.events[0]?.transaction_hash).toBe(transaction_hash);
		expect(after.events[0]?.block_hash).not.toBe(before.events[0]?.block_hash);
	});

	test('makes the tokens of pages invalid', async () => {
		await emit('0x3');
		const { continuation_token } = await readPage({ chunk_size: 1 });
		await replace({ depth: 1, keep: true });
		const filter = { chunk_size: 1, address: addressOf('everything'), continuation_token };
		expect(await node.refusal('getEvents', filter)).toBe(33);
	});

	test('never touches what is on L1', async () => {
		await node.addBlocks(2);
		await sandbox.control('POST', '/stark/l1', { block: 1 });
		await expect(replace({ depth: 2 })).rejects.toThrow('L1');
	});
});

describe('pages of events', () => {
	beforeEach(async () => {
		await emit('0x3');
		await node.addBlocks(5);
		await emit('0x2');
	});

	async function readAll(filter: object) {
		const sizes: number[] = [];
		let token: string | undefined;
		do {
			const page: Page = await readPage({ ...filter, ...(token && { continuation_token: token }) });
			sizes.push(page.events.length);
			token = page.continuation_token;
		} while (token !== undefined && sizes.length < 50);
		return sizes;
	}

	test('may be short or empty and yet have a token', async () => {
		await node.set({ events: { blocksPerPage: 2 } });
		expect(await readAll({ chunk_size: 2, to_block: 'latest' })).toEqual([2, 1, 0, 0, 2]);
	});

	test('end where the range does', async () => {
		expect(
			await readAll({ from_block: { block_number: 2 }, to_block: { block_number: 6 } }),
		).toEqual([0]);
		expect(
			await readAll({ from_block: { block_number: 1 }, to_block: { block_number: 1 } }),
		).toEqual([3]);
		expect(
			await readAll({ from_block: { block_number: 7 }, to_block: { block_number: 900 } }),
		).toEqual([2]);
		expect(
			await readAll({ from_block: { block_number: 8 }, to_block: { block_number: 900 } }),
		).toEqual([0]);
	});

	test('hold what has the keys at their positions', async () => {
		const plain = hash.getSelectorFromName('Plain');
		expect(await readAll({ keys: [[plain], ['0x1', '0x2']] })).toEqual([3]);
		expect(await readAll({ keys: [[], ['0x0']] })).toEqual([2]);
		expect(await readAll({ keys: [['0x1']] })).toEqual([0]);
		expect(await readAll({ keys: [[], [], []] })).toEqual([0]);
	});

	test('are refused where the range is too wide', async () => {
		await node.set({ events: { maxBlocks: 3, refusal: { code: -32005, message: 'too wide' } } });
		const range = (last: number) => ({
			chunk_size: 9,
			from_block: { block_number: 0 },
			to_block: { block_number: last },
		});
		expect(await node.refusal('getEvents', range(3))).toBe(-32005);
		expect(await node.refusal('getEvents', range(2))).toBeUndefined();
	});

	test('belong to one filter, and may be told to repeat', async () => {
		const { continuation_token } = await readPage({ chunk_size: 1 });
		const other = { chunk_size: 2, address: addressOf('everything'), continuation_token };
		expect(await node.refusal('getEvents', other)).toBe(33);
		await node.set({ events: { repeatsToken: true } });
		const again = await readPage({ chunk_size: 1, continuation_token });
		expect(again.continuation_token).toBe(continuation_token);
	});

	test('come late where the index does', async () => {
		await sandbox.control('PUT', '/lag', { logs: { blocks: 1 } });
		expect((await readPage()).events).toHaveLength(3);
		await sandbox.control('PUT', '/lag', { backends: { blocks: 1 } });
		expect(await node.read('blockNumber')).toBe(6);
		expect((await readPage()).events).toHaveLength(3);
		expect(await node.refusal('getBlockWithTxs', { block_number: 7 })).toBe(24);
	});
});

describe('the block being made', () => {
	test.each([
		['0.8', 'pending', { finality_status: 'ACCEPTED_ON_L2' }],
		['0.10', 'pre_confirmed', { finality_status: 'PRE_CONFIRMED', block_number: 1 }],
	])('in version %s', async (version, tag, status) => {
		await node.set({ version, inclusion: 'making' });
		const { transaction_hash } = await emit('0x1');
		const block = await node.read('getBlockWithTxHashes', tag);
		expect(block.transactions).toEqual([transaction_hash]);
		expect(block).not.toHaveProperty('block_hash');
		expect('parent_hash' in block).toBe(version === '0.8');
		expect('block_number' in block).toBe(version !== '0.8');
		const receipt = await node.read('getTransactionReceipt', transaction_hash);
		expect(receipt).toMatchObject(status);
		expect(receipt).not.toHaveProperty('block_hash');
		expect('block_number' in receipt).toBe(version !== '0.8');
		const { events } = await readPage();
		expect(events).toHaveLength(1);
		expect(events[0]).not.toHaveProperty('block_hash');
		expect((await readPage({ to_block: 'latest' })).events).toEqual([]);
		const { address } = account(0);
		expect(await node.read('getNonce', tag, address)).toBe('0x1');
		expect(await node.read('getNonce', 'latest', address)).toBe('0x0');
		await node.addBlocks(1);
		expect((await readPage({ to_block: 'latest' })).events).toHaveLength(1);
	});

	test('does not have what was received only', async () => {
		await node.set({ inclusion: 'received' });
		const { transaction_hash } = await emit('0x1');
		expect(await node.read('getTransactionStatus', transaction_hash)).toEqual({
			finality_status: 'RECEIVED',
		});
		expect(await node.refusal('getTransactionReceipt', transaction_hash)).toBe(29);
		expect(await node.read('getTransactionByHash', transaction_hash)).toMatchObject({
			nonce: '0x0',
		});
		await node.addBlocks(1);
		expect(await node.read('getTransactionStatus', transaction_hash)).toEqual({
			finality_status: 'ACCEPTED_ON_L2',
			execution_status: 'SUCCEEDED',
		});
	});
});

test.each([
	['0.7', false, ['gas_consumed', 'gas_price', 'data_gas_consumed', 'data_gas_price']],
	['0.8', true, L_ESTIMATE()],
	['0.9', true, L_ESTIMATE()],
	['0.10', true, L_ESTIMATE()],
])('the shapes of version %s', async (version, isThreefold, estimate) => {
	await node.set({ version });
	const { transaction_hash } = await emit('0x1');
	const receipt = await node.read('getTransactionReceipt', transaction_hash);
	const resources = fieldsOf(receipt.execution_resources as object);
	expect(resources.includes('l2_gas')).toBe(isThreefold);
	expect(resources.includes('steps')).toBe(!isThreefold);
	const block = await node.read('getBlockWithTxHashes', 'latest');
	expect('l2_gas_price' in block).toBe(isThreefold);
	expect('event_count' in block).toBe(version === '0.10');
	const { events } = await readPage();
	expect('event_index' in events[0]!).toBe(version === '0.10');
	const { l1_data_gas, ...older } = BOUNDS;
	const transaction = {
		...signInvoke(account(0), { nonce: '0x1' }),
		resource_bounds: isThreefold ? { ...older, l1_data_gas } : older,
	};
	const request = [[transaction], ['SKIP_VALIDATE'], 'latest'];
	const [first] = await node.read<Record<string, string>[]>('estimateFee', ...request);
	expect(fieldsOf(first!)).toEqual([...estimate, 'overall_fee', 'unit']);
	const numbers = estimate.map((name) => BigInt(first![name]!));
	const total = estimate.reduce(
		(sum, _name, index) => (index % 2 === 0 ? sum + numbers[index]! * numbers[index + 1]! : sum),
		0n,
	);
	expect(BigInt(first!.overall_fee!)).toBe(total);
});

function L_ESTIMATE() {
	return ['l1', 'l2', 'l1_data'].flatMap((name) => [`${name}_gas_consumed`, `${name}_gas_price`]);
}

test('what is absent may be null', async () => {
	await node.set({ nulls: true, inclusion: 'making' });
	await emit('0x1');
	expect(await readPage()).toMatchObject({
		events: [{ block_hash: null, block_number: null }],
		continuation_token: null,
	});
});

test('felts may be padded, and faults reach the rollup as they do all chains', async () => {
	await node.set({ padded: true });
	expect(await node.read('getNonce', 'latest', account(0).address)).toBe(`0x${'0'.repeat(64)}`);
	await sandbox.fault({ rpcMethod: 'starknet_getNonce', do: { status: 503 } });
	await expect(node.read('getNonce', 'latest', account(0).address)).rejects.toThrow();
});
