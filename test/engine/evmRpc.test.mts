import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { deployContract } from '../harness/contract.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { evmRpcAt } from './evmRpc/support/scene.mts';

const sandbox = createSandbox({ chain: true });
const { run: evm, first } = evmRpcAt(sandbox);
let store: Awaited<ReturnType<typeof deployContract>>;

beforeAll(async () => {
	store = await deployContract(sandbox, 'Store');
});

const HUGE = 123_456_789_012_345_678_901n;

const block = (parameters: INodeParameters) => ({
	resource: 'block',
	operation: 'get',
	...parameters,
});
const call = (parameters: INodeParameters) => ({
	resource: 'contract',
	operation: 'call',
	callBy: 'data',
	to: store.address,
	...parameters,
});

describe('block', () => {
	test('is left untouched without simplify', async () => {
		const raw = await sandbox.chain('eth_getBlockByNumber', '0x1', true);
		expect(await first(block({ block: 1, fullTransactions: true, simplify: false }))).toEqual(raw);
	});

	test('amounts above 2^53 come through whole', async () => {
		const { transactionHash: hash } = await sandbox.mined({
			from: store.owner,
			to: '0x00000000000000000000000000000000000000aa',
			value: `0x${HUGE.toString(16)}`,
		});
		const found = await first(block({ block: 'latest', fullTransactions: true }));
		expect(found).toMatchObject({ transactions: [{ hash, value: HUGE.toString() }] });
	});

	test('one that does not exist is a null result, not a failure', async () => {
		const { items, status } = await evm(block({ block: 99_999_999 }));
		expect(status).toBe('success');
		expect(items).toEqual([{ json: { result: null }, pairedItem: { item: 0 } }]);
	});
});

test('a block without system transactions gives no item, one that does not exist a null result', async () => {
	const inBlock = async (number: number) =>
		await evm({ resource: 'block', operation: 'getSystemTransactions', block: number });
	expect((await inBlock(1)).items).toEqual([]);
	expect((await inBlock(99_999_999)).items[0]?.json).toEqual({ result: null });
});

test('a transaction at an index beyond the block is a null result', async () => {
	const { hash } = (await sandbox.chain('eth_getBlockByNumber', '0x1', false)) as { hash: string };
	const read = { resource: 'transaction', operation: 'getByBlockHashAndIndex' };
	expect(await first({ ...read, blockHash: hash, transactionIndex: '7' })).toEqual({
		result: null,
	});
});

describe('contract calls', () => {
	test('go to the documented path with documented keys, numbers as quantities', async () => {
		await evm(
			call({
				data: store.data('set(uint256)', 1),
				block: '0x1',
				callOptions: { from: store.owner, gas: '100000', gasPrice: 2_000_000_000, value: '1' },
			}),
		);
		const sent = (await sandbox.record()).map(({ path, body }) => ({ path, body }));
		expect(sent).toEqual([
			{
				path: '',
				body: {
					jsonrpc: '2.0',
					method: 'eth_call',
					params: [
						{
							from: store.owner,
							to: store.address,
							gas: '0x186a0',
							gasPrice: '0x77359400',
							value: '0x1',
							data: store.data('set(uint256)', 1),
						},
						'0x1',
					],
					id: 1,
				},
			},
		]);
	});

	test('a plain transfer that succeeds returns 0x', async () => {
		const to = '0x00000000000000000000000000000000000000bb';
		expect(await first(call({ to, callOptions: { from: store.owner, value: '1' } }))).toEqual({
			result: '0x',
		});
	});

	test('a revert leaves by the error output, the others go on', async () => {
		const items: INodeExecutionData[] = [1, 100, 2].map((value) => ({
			json: { data: store.data('set(uint256)', value) },
		}));
		const result = await evm(call({ data: '={{ $json.data }}' }), {
			items,
			onError: 'continueErrorOutput',
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems[0]?.json).toMatchObject({ error: expect.stringMatching(/too big/) });
	});
});

describe('bad input is refused by its name before anything is sent', () => {
	const hash = `0x${'a'.repeat(62)}`;
	test.each<[string, () => INodeParameters, RegExp]>([
		['block -1', () => block({ block: -1 }), /^'Block' must be .*got -1$/],
		['an empty block', () => block({ block: '={{ "" }}' }), /^'Block' is required$/],
		['data of odd length', () => call({ data: '0xabc' }), /^'Data' must be whole bytes/],
		[
			'a contract with a wrong checksum',
			() => call({ to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }),
			/^'Contract' must be .*EIP-55/,
		],
		[
			'negative wei',
			() => call({ callOptions: { value: '-1' } }),
			/^'Call Options > Value' must be/,
		],
		[
			'a 31-byte hash',
			() => ({
				resource: 'transaction',
				operation: 'getByBlockHashAndIndex',
				blockHash: hash,
				transactionIndex: '0',
			}),
			/^'Block Hash' must be a hash/,
		],
		[
			'params that are neither array nor object',
			() => ({ resource: 'rpc', operation: 'request', method: 'eth_chainId', params: '"a"' }),
			/^'Params' must be a JSON array/,
		],
		[
			'a method with a blank in it',
			() => ({ resource: 'rpc', operation: 'request', method: 'eth chainId' }),
			/^'Method' must be the name of a method/,
		],
		[
			'params that are no JSON',
			() => ({ resource: 'rpc', operation: 'request', method: 'eth_chainId', params: '[1' }),
			/^'Params' must be valid JSON/,
		],
		['a path that leads out', () => block({ path: '/../x' }), /^'Path' must be a path/],
	])('%s', async (_, parameters, message) => {
		const { error } = await evm(parameters());
		expect(error?.message).toMatch(message);
		expect(await sandbox.record()).toEqual([]);
	});
});
