import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { collectResults } from '../../../nodes/core/run';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { parseSimulationResults, simulate } from '../../../nodes/L2Simulate/simulate';
import { createContext } from '../support/chains.mts';
import { expectLinear } from '../support/growth.mts';

/** Returns the request for the stored parameters of a workflow, sent to a node of the given version. */
async function requestFor(given: Readonly<Record<string, unknown>>, version: unknown = null) {
	const reader = createParameterParser(
		({ name, default: usual }) => given[name] ?? usual,
		simulate.fields,
	);
	const sent: RpcRequest[] = [];
	const call = async (request: RpcRequest) => {
		if (request.method.endsWith('_specVersion')) return await Promise.resolve(version);
		sent.push(request);
		return await Promise.resolve([]);
	};
	await collectResults(simulate, reader(0), createContext(call));
	const [only, ...others] = sent;
	expect(others).toEqual([]);
	const { params, ...rest } = only ?? { params: [] };
	return { ...rest, params: JSON.parse(JSON.stringify(params)) as unknown[] };
}

const json = { transactions: '{"type":"INVOKE"}' };
const fields = (...transaction: object[]) => ({
	inputMode: 'fields',
	transactionFields: { transaction },
});

describe('a simulation', () => {
	test('goes to the address itself, with the documented method and id', async () => {
		expect(await requestFor(json)).toEqual({
			path: '',
			method: 'l2_simulateTransactions',
			params: ['latest', [{ type: 'INVOKE' }], []],
			id: 0,
		});
	});

	test.each([
		[{}, 'latest'],
		[{ blockTag: 'l1_accepted' }, 'l1_accepted'],
		[{ blockBy: 'number', blockNumber: '0' }, { block_number: 0 }],
		[{ blockBy: 'number', blockNumber: '0x10', blockTag: 'pending' }, { block_number: 16 }],
		[{ blockBy: 'hash', blockHash: '0x0A', blockNumber: 'x' }, { block_hash: '0xa' }],
	])('names its block by one of three: %p', async (given, block) => {
		expect((await requestFor({ ...json, ...given })).params[0]).toEqual(block);
	});

	test.each([
		{ blockBy: 'number', blockNumber: '-1' },
		{ blockBy: 'number', blockNumber: '9007199254740993' },
		{ blockBy: 'number', blockNumber: '' },
		{ blockBy: 'hash', blockHash: 'latest' },
		{ blockBy: 'tag', blockTag: 'newest' },
	])('refuses a block such as %p', async (given) => {
		await expect(requestFor({ ...json, ...given })).rejects.toThrow(InvalidInput);
	});

	test('passes transactions in JSON through in any shape', async () => {
		const list = [{ version: '0x3', resource_bounds: { l1_gas: {} } }, { type: 'DECLARE' }];
		expect((await requestFor({ transactions: JSON.stringify(list) })).params[1]).toEqual(list);
		expect((await requestFor({ transactions: list })).params[1]).toEqual(list);
	});

	test('sends numbers in JSON without leading zeros, wherever they stand', async () => {
		const padded = (digits: string) => `0x${digits.padStart(64, '0')}`;
		const given = {
			type: 'INVOKE',
			sender_address: padded('1A'),
			calldata: [padded('0'), '0x10', padded('f'.repeat(63))],
			resource_bounds: { l1_gas: { max_amount: '0x00', max_price_per_unit: '0X01' } },
			contract_class: {
				abi: '[{"name":"0x01"}]',
				note: '0x0 of',
				name: '0x0g',
				count: 0,
				none: null,
			},
		};
		const [sent] = (await requestFor({ transactions: [given] })).params[1] as readonly [object];
		expect(sent).toEqual({
			type: 'INVOKE',
			sender_address: '0x1A',
			calldata: ['0x0', '0x10', `0x${'f'.repeat(63)}`],
			resource_bounds: { l1_gas: { max_amount: '0x0', max_price_per_unit: '0x1' } },
			contract_class: given.contract_class,
		});
	});

	test('leaves text of zeros as it is, at a cost that grows with its length and no faster', async () => {
		await expectLinear(1_000_000, async (size) => {
			const note = `0x${'0'.repeat(size)}`;
			const given = [{ abi: `${note}g`, calldata: [note], empty: '', bare: '0x', zero: '0X0' }];
			const [sent] = (await requestFor({ transactions: given })).params[1] as readonly [object];
			expect(sent).toEqual({
				abi: `${note}g`,
				calldata: ['0x0'],
				empty: '',
				bare: '0x',
				zero: '0X0',
			});
		});
	});

	test.each([
		['0.7.1', ['l1_gas', 'l2_gas']],
		['0.8.1', ['l1_gas', 'l1_data_gas', 'l2_gas']],
		['0.10.4', ['l1_gas', 'l1_data_gas', 'l2_gas']],
		[null, ['l1_gas', 'l1_data_gas', 'l2_gas']],
	])('names the resources that a node of version %p knows', async (version, names) => {
		const given = fields({ senderAddress: 6, version: '0x3' });
		const [sent] = (await requestFor(given, version)).params[1] as readonly [
			{ readonly resource_bounds: object },
		];
		expect(Object.keys(sent.resource_bounds)).toEqual(names);
	});

	test('makes transactions from fields in the documented form', async () => {
		const full = {
			senderAddress: '0x1A',
			calldata: '0x1, 2',
			signature: ['3'],
			nonce: 4,
			maxFee: '5',
		};
		expect(
			(await requestFor(fields({ ...full, version: '1' }, { senderAddress: 6 }))).params[1],
		).toEqual([
			{
				type: 'INVOKE',
				max_fee: '0x5',
				version: '0x1',
				signature: ['0x3'],
				sender_address: '0x1a',
				calldata: ['0x1', '0x2'],
				nonce: '0x4',
			},
			{
				type: 'INVOKE',
				max_fee: '0x0',
				version: '0x1',
				signature: [],
				sender_address: '0x6',
				calldata: [],
				nonce: '0x0',
			},
		]);
	});

	test('of version 3 carries every bound in its own place, and no fee of version 1', async () => {
		const names = ['l1GasMax', 'l1DataGasMax', 'l2GasMax'];
		const bounds = Object.fromEntries(
			names.flatMap((name, index) => [
				[`${name}Amount`, 10 + index],
				[`${name}Price`, 20 + index],
			]),
		);
		const given = fields({ senderAddress: 6, version: '0x3', version3: { ...bounds, tip: 7 } });
		const [sent] = (await requestFor(given)).params[1] as readonly [object];
		expect(sent).toMatchObject({
			resource_bounds: {
				l1_gas: { max_amount: '0xa', max_price_per_unit: '0x14' },
				l1_data_gas: { max_amount: '0xb', max_price_per_unit: '0x15' },
				l2_gas: { max_amount: '0xc', max_price_per_unit: '0x16' },
			},
			tip: '0x7',
		});
		expect(sent).not.toHaveProperty('max_fee');
	});

	test.each<[given: Readonly<Record<string, unknown>>, words: string]>([
		[fields(), "'Transactions' must hold at least one"],
		[fields({ nonce: 1 }), "'Transactions > Transaction 1 > Sender Address' is required"],
		[fields({ senderAddress: '0x1', nonce: -1 }), "'Transactions > Transaction 1 > Nonce' must be"],
		[{ transactions: '{"type":' }, "'Transactions' must be valid JSON"],
		[{ transactions: '7' }, "'Transactions' must be a JSON object"],
		[{ transactions: '[]' }, "'Transactions' must be a JSON object"],
		[{ ...json, simulationFlags: ['SKIP'] }, "'Simulation Flags' must be one of"],
		[{ ...json, simulationFlags: 'SKIP_VALIDATE' }, "'Simulation Flags' must be a list"],
		[{ ...json, options: { extraFlags: { a: 1 } } }, "'Options > Extra Flags' must be"],
		[
			{ ...json, options: { extraFlags: 'SKIP_VALIDATE, skip' } },
			"'Options > Extra Flags' must be",
		],
		[{ ...json, options: { methodPrefix: 'a.b' } }, "'Options > Method Prefix' must be"],
		[{ ...json, blockBy: 'number', blockNumber: '1.5' }, "'Block Number' must be"],
		[{ ...json, blockBy: 'hash', blockHash: `0x${'f'.repeat(64)}` }, "'Block Hash' must be a felt"],
	])('is refused by the name of a field: %j', async (given, words) => {
		const refusal = await requestFor(given).catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(InvalidInput);
		expect((refusal as Error).message).toContain(words);
	});

	test('sends each flag once, and the prefix of the chain', async () => {
		const options = { methodPrefix: 'starknet', extraFlags: 'SKIP_VALIDATE, RETURN_INITIAL_READS' };
		const { method, params } = await requestFor({
			...json,
			simulationFlags: ['SKIP_VALIDATE'],
			options,
		});
		expect(method).toBe('starknet_simulateTransactions');
		expect(params[2]).toEqual(['SKIP_VALIDATE', 'RETURN_INITIAL_READS']);
	});
});

describe('the results of a simulation', () => {
	test('are a list, or wrapped together with what was read', () => {
		expect(parseSimulationResults([{ a: 1 }, {}])).toEqual([{ a: 1 }, {}]);
		expect(
			parseSimulationResults({ simulated_transactions: [{ a: 1 }], initial_reads: { b: 2 } }),
		).toEqual([{ a: 1, initial_reads: { b: 2 } }]);
	});

	test.each([null, undefined, 5, {}, [5], ['x'], [[]], { simulated_transactions: ['x', 5] }])(
		'are not %p',
		(none) => {
			expect(() => parseSimulationResults(none)).toThrow(RequestFailure);
		},
	);
});
