import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });
let store: Awaited<ReturnType<typeof deployContract>>;
let shapes: Awaited<ReturnType<typeof deployContract>>;

beforeAll(async () => {
	store = await deployContract(sandbox, 'Store');
	shapes = await deployContract(sandbox, 'Shapes');
	await sandbox.mined({
		from: store.owner,
		to: store.address,
		data: store.data('set(uint256)', 7),
	});
});

async function contract(parameters: INodeParameters, json: IDataObject[] = [{}]) {
	return await runNode({
		node: new EvmRpc(),
		parameters: { resource: 'contract', operation: 'call', to: store.address, ...parameters },
		credentials: sandbox.credentials.token,
		items: json.map((one) => ({ json: one })),
	});
}

async function result(parameters: INodeParameters) {
	const { items, error } = await contract(parameters);
	return items[0]?.json ?? error;
}

const fields = (value: IDataObject) => ({
	argumentFields: { mappingMode: 'defineBelow', value } as unknown as INodeParameters,
});
const json = (given: unknown) => ({
	argumentsBy: 'json',
	arguments: typeof given === 'string' ? given : JSON.stringify(given),
});

describe('a call by function', () => {
	test('is sent as it would be with its data, and what it returns is decoded', async () => {
		expect(await result({ function: 'value() view returns (uint256)' })).toEqual({ result: '7' });
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({
			path: '',
			body: {
				method: 'eth_call',
				params: [{ to: store.address, data: store.data('value()') }, 'latest'],
			},
		});
	});

	test('takes its arguments from fields, without those of another function', async () => {
		const parameters = {
			function: 'overflow(uint8 by) pure returns (uint8 sum)',
			...fields({ by: '0x7', left: 'over' }),
		};
		expect(await result(parameters)).toEqual({ result: 207 });
	});

	test.each([
		['a list', [7]],
		['an object', { by: 7 }],
	])('takes its arguments from %s', async (_, given) => {
		const parameters = { function: 'overflow(uint8 by) returns (uint8)', ...json(given) };
		expect(await result(parameters)).toEqual({ result: 207 });
	});

	test('may have an argument of its own for each item', async () => {
		const parameters = {
			function: 'overflow(uint8) returns (uint8)',
			...fields({ arg0: '={{ $json.by }}' }),
		};
		const { items } = await contract(parameters, [{ by: 1 }, { by: '2' }, { by: 3 }]);
		expect(items.map(({ json: one }) => one.result)).toEqual([201, 202, 203]);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('of an item that lacks an argument fails alone, and takes none of another item', async () => {
		const { items } = await runNode({
			node: new EvmRpc(),
			parameters: {
				resource: 'contract',
				operation: 'call',
				to: store.address,
				function: 'overflow(uint8 by) returns (uint8)',
				...fields({ by: '={{ $json.by }}' }),
			},
			credentials: sandbox.credentials.token,
			items: [{ by: 1 }, {}, { by: 3 }].map((one) => ({ json: one })),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json: one, pairedItem }) => [one, pairedItem])).toEqual([
			[{ result: 201 }, { item: 0 }],
			[
				{
					error: expect.stringMatching(/^'Arguments > by' must be .*; it is empty/) as string,
				},
				{ item: 1 },
			],
			[{ result: 203 }, { item: 2 }],
		]);
	});

	test('takes the ABI of the contract and the name of one of its functions', async () => {
		const abi = { to: shapes.address, function: JSON.stringify(shapes.abi) };
		const given = [
			[['1', '2'], []],
			[`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
		];
		expect(await result({ ...abi, functionName: 'matrix', ...json(given) })).toEqual({
			result: given,
		});
		const { error } = await contract({ ...abi, ...json([]) });
		expect(error?.message).toMatch(/^'Function Name or ID' must be one of echo\(/);
	});

	test('calls no other function than the one that was chosen of an ABI before', async () => {
		const given = { function: '[{"name":"value"}]', functionName: 'overflow' };
		const { error } = await contract({ ...given, ...json([]) });
		expect(error?.message).toBe(
			`'Function Name or ID' must be empty or value(): there is no other function; got "overflow"`,
		);
		expect(await sandbox.record()).toEqual([]);
	});

	test('takes an item with an ABI whole, whatever else is in it', async () => {
		const item = { abi: store.abi, value: 'overflow(uint8 by)' } as unknown as IDataObject;
		const chosen = { function: '={{ $json }}', functionName: 'value' };
		const { items, error } = await contract(chosen, [item]);
		expect(error?.message).toBeUndefined();
		expect(items[0]?.json).toEqual({ result: '7' });
	});

	test('gives the bare data where no outputs are declared', async () => {
		expect(await result({ function: 'value()' })).toEqual({ result: `0x${'7'.padStart(64, '0')}` });
	});
});

describe('a contract that has no such function', () => {
	test.each([
		['none at this address', () => ({ to: `0x${'12'.repeat(20)}` })],
		['data of another shape', () => ({ function: 'value() returns (string)' })],
	])('is said to be so: %s', async (_, parameters) => {
		const { error } = await contract({ function: 'value() returns (uint256)', ...parameters() });
		expect(error?.message).toMatch(
			/^(The contract has no function value\(\), or there is no contract|What value returned does not fit)/,
		);
	});
});

describe('a contract that reverts', () => {
	test('with an error of its ABI is reported by its name and arguments', async () => {
		const { error } = await contract({
			to: shapes.address,
			function: JSON.stringify(shapes.abi),
			functionName: 'fail',
			...json([1, '0x10']),
		});
		expect(error?.message).toBe(
			'The contract reverted with TooLittle(available: 1, wanted: 16, reason: "zu wenig – ∞")',
		);
	});

	test('with an error that the ABI does not have is reported by its data', async () => {
		const { error } = await contract({ function: 'deny() view returns (bool)' });
		expect(error?.message).toMatch(/data:? 0x[0-9a-f]{72}/);
	});

	test('with a reason is reported by it', async () => {
		const { error } = await contract({ function: 'set(uint256)', ...json([100]) });
		expect(error?.message).toMatch(/too big/);
	});
});

describe('what a call cannot be made of', () => {
	test.each<[string, INodeParameters, RegExp]>([
		['no function', { function: '={{ "" }}' }, /^'Function' is required/],
		[
			'a missing argument',
			{ function: 'set(uint256 wanted)', ...fields({}) },
			/^'Arguments > wanted' must be a whole number that fits uint256.*it is empty/,
		],
		[
			'an amount finer than a wei',
			{ function: 'value()', callOptions: { value: '0.5 wei' } },
			/the smallest unit is 1 wei/,
		],
	])('%s is refused before anything is sent', async (_, parameters, message) => {
		const { error } = await contract(parameters);
		expect(error?.message).toMatch(message);
		expect(await sandbox.record()).toEqual([]);
	});
});

test('amounts may have a unit', async () => {
	const callOptions = { from: store.owner, value: '1.5 gwei', gasPrice: '2 GWEI' };
	await contract({ function: 'set(uint256)', ...json([1]), callOptions });
	expect((await sandbox.record())[0]?.body).toMatchObject({
		params: [{ value: '0x59682f00', gasPrice: '0x77359400' }, 'latest'],
	});
});

describe('the gas of a call', () => {
	const estimate = async (parameters: INodeParameters) =>
		await result({ operation: 'estimateGas', ...parameters });

	test('is estimated by function as by data', async () => {
		const gas = await estimate({ function: 'set(uint256)', ...json([1]) });
		expect(gas).toEqual({ result: expect.any(Number) });
		expect(Number((gas as IDataObject).result)).toBeGreaterThan(21_000);
		const data = store.data('set(uint256)', 1);
		expect(await estimate({ callBy: 'data', data })).toEqual(gas);
	});

	test('of Ganache reports an error of the ABI too', async () => {
		const data = { hash: null, programCounter: 16, result: `0x7e46dab6${'7'.padStart(64, '0')}` };
		const message = 'VM Exception while processing transaction: revert';
		const error = { code: -32000, name: 'RuntimeError', message, data };
		await sandbox.fault({ do: { status: 200, body: { jsonrpc: '2.0', id: 1, error } } });
		const found = await contract({
			operation: 'estimateGas',
			function: JSON.stringify(['function set(uint256)', 'error Denied(uint256 code)']),
			...json([1]),
		});
		expect(found.error?.message).toBe('The contract reverted with Denied(code: 7)');
	});

	test('cannot be, where the contract would revert', async () => {
		const { error } = await contract({
			operation: 'estimateGas',
			function: 'set(uint256)',
			...json([100]),
		});
		expect(error?.message).toMatch(/too big/);
	});
});
