import {
	cairo,
	CairoCustomEnum,
	CairoOption,
	CairoResult,
	Contract,
	hash,
	RpcProvider,
	type Abi,
} from 'starknet';
import { openStarkNode } from './support/starkNode.mts';

const node = openStarkNode();
const { sandbox, contractOf: addressOf } = node;
let provider: RpcProvider;

beforeEach(() => {
	provider = new RpcProvider({ nodeUrl: node.url(), specVersion: '0.10.0' });
});

async function contractOf(name: string, classOf = name) {
	const { abi } = await provider.getClassAt(addressOf(classOf));
	return new Contract({ abi: abi as Abi, address: addressOf(name), providerOrAccount: provider });
}

const call = async (name: string, entrypoint: string, ...calldata: string[]) =>
	await node.ask('starknet_call', [
		{
			contract_address: addressOf(name),
			entry_point_selector: hash.getSelectorFromName(entrypoint),
			calldata,
		},
		'latest',
	]);

const POINT = { x: -3n, y: 4n };

/**
 * Each row is a type with a value. The client encodes the value, the contract returns it, and the client decodes it.
 */
test.each<[string, unknown, unknown?]>([
	['felt', 5n],
	['u8', 255n],
	['u16', 65_535n],
	['u64', 2n ** 64n - 1n],
	['u128', 2n ** 128n - 1n],
	['u256', 2n ** 200n + 1n],
	['u512', 2n ** 500n],
	['i8', -128n],
	['i128', -1n],
	['bool', true],
	['address', 0x1234n],
	['class_hash', 0x99n],
	['text', 'a text of more than thirty-one bytes, with ü'],
	['text', ''],
	['numbers', [1n, 2n ** 130n]],
	['span', [1n, 2n, 3n]],
	['pair', cairo.tuple(1n, 2n ** 130n)],
	['fixed', [1n, 2n, 3n]],
	['option', new CairoOption<bigint>(0, 7n)],
	['option', new CairoOption<bigint>(1)],
	['result', new CairoResult<bigint, bigint>(0, 7n)],
	['result', new CairoResult<bigint, bigint>(1, 8n)],
	['non_zero', 9n],
	['point', POINT],
	['shape', new CairoCustomEnum({ Nothing: {} })],
	['shape', new CairoCustomEnum({ Path: [POINT, POINT] })],
])('echo_%s of %o', async (name, value) => {
	const contract = await contractOf('everything');
	const answer: unknown = await contract.call(`echo_${name}`, [value as never]);
	const toText = (one: unknown) =>
		JSON.stringify(one, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}` : inner));
	expect(toText(answer)).toBe(toText(value));
});

test.each([
	['texts', ['0x2', '0x0', '0x6f6e65', '0x3', '0x0', '0x0', '0x0']],
	['nested', ['0x2', '0x1', '0x0', '0x5', '0x0', '0x2', '0x1']],
	['unit', []],
	[
		'order',
		['0x1', '0x2', '0x3', '0x0', '0x0', '0x0', '0x0', '0x1', '0x5', '0x6', '0x1', '0x1', '0x9'],
	],
])('echo_%s of the felts %j', async (name, calldata) => {
	expect((await call('everything', `echo_${name}`, ...calldata)).result).toEqual(calldata);
});

const P = '0x800000000000011000000000000000000000000000000000000000000000000';

test.each([
	['u8', ['0x100']],
	['i8', ['0x80']],
	['i8', ['0x800000000000010ffffffffffffffffffffffffffffffffffffffffffffff80']],
	['u256', ['0x1']],
	['u256', ['0x100000000000000000000000000000000', '0x0']],
	['bool', ['0x2']],
	['address', [P]],
	['eth_address', ['0x10000000000000000000000000000000000000000']],
	['text', ['0x0', '0x6869', '0x1']],
	['text', ['0x0', '0x0', '0x1f']],
	['text', ['0x1', P, '0x0', '0x0']],
	['span', ['0x5', '0x1']],
	['span', [P]],
	['option', ['0x2']],
	['result', ['0x2', '0x0']],
	['shape', ['0x4']],
	['fixed', ['0x1', '0x2']],
])('echo_%s refuses %j', async (name, calldata) => {
	const { error } = await call('everything', `echo_${name}`, ...calldata);
	expect(JSON.stringify(error)).toContain('Failed to deserialize param #1');
});

test('tokens have names in both forms, and functions in both cases', async () => {
	expect((await call('strk', 'symbol')).result).toEqual(['0x5354524b']);
	expect((await call('newToken', 'symbol')).result).toEqual(['0x0', '0x4c4f4e47', '0x4']);
	expect((await call('strk', 'balanceOf', '0x1')).result).toEqual(['0x0', '0x0']);
	expect((await call('newToken', 'balanceOf', '0x1')).error?.code).toBe(21);
	expect((await call('newToken', 'decimals')).result).toEqual(['0x6']);
});

test.each(['oldToken', 'oldestToken'])(
	'%s is a proxy that does what its implementation says',
	async (name) => {
		const account = node.account(0).address;
		const getter = name === 'oldToken' ? 'implementation' : 'get_implementation';
		const { result } = await call(name, getter);
		const [implementation] = result as string[];
		if (name === 'oldToken')
			expect(await node.read('getClass', 'latest', implementation)).toHaveProperty('program');
		else expect(implementation).toBe(addressOf('tokenLogic'));
		expect((await call(name, 'balanceOf', account)).result).toEqual([
			'0x3635c9adc5dea00000',
			'0x0',
		]);
		const { abi } = await provider.getClassAt(addressOf(name));
		expect((abi as { name: string }[]).map((one) => one.name)).not.toContain('balanceOf');
		const token = await contractOf(name, 'tokenLogic');
		expect(await token.call('symbol')).toMatchObject({ symbol: 0x4f4c44n });
	},
);

test('an old contract takes lists after their lengths, structs and tuples', async () => {
	const ledger = await contractOf('oldLedger');
	expect(await ledger.call('sum', [[1n, 2n, 3n]])).toMatchObject({ total: 6n });
	expect((await call('oldLedger', 'echo_entries', '0x1', '0x5', '0x6')).result).toEqual([
		'0x1',
		'0x5',
		'0x6',
	]);
	expect((await call('oldLedger', 'echo_pair', '0x1', '0x5', '0x6')).result).toEqual([
		'0x1',
		'0x5',
		'0x6',
	]);
	expect(JSON.stringify((await call('oldLedger', 'sum', '0x2', '0x5')).error)).toContain(
		'ASSERT_EQ',
	);
	expect(JSON.stringify((await call('oldLedger', 'fail', '0x2')).error)).toContain(
		'Error message: Ledger: failed as asked',
	);
});

describe('reasons', () => {
	const reasonOf = async (name: string, entrypoint: string, ...calldata: string[]) => {
		const { error } = await call(name, entrypoint, ...calldata);
		let reason: unknown = (error?.data as { revert_error: unknown }).revert_error;
		while (typeof reason === 'object' && reason) reason = (reason as { error: unknown }).error;
		return reason;
	};

	test('are felts with their texts, or a text in quotes', async () => {
		expect(await reasonOf('everything', 'fail', '0x2', '0x6869', '0x0')).toBe(
			"(0x6869 ('hi'), 0x0 (''))",
		);
		expect(await reasonOf('everything', 'fail_with_text', '0x0', '0x6869', '0x2')).toBe('"hi"');
	});

	test('grow with each call that they come through', async () => {
		const inner = [hash.getSelectorFromName('fail'), '0x2', '0x1', '0x6869'];
		const reason = await reasonOf('everything', 'relay', addressOf('everything'), ...inner);
		expect(reason).toBe(
			"(0x6869 ('hi'), 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'))",
		);
	});
});

test('a contract may be added with a class of its own', async () => {
	const abi = '[{"type":"function","name":"__proto__"';
	const made = await sandbox.control('POST', '/stark/contracts', {
		address: '0x777',
		class: { sierra_program: [], abi },
	});
	expect(made).toMatchObject({ address: '0x777' });
	expect(await node.read('getClassAt', 'latest', '0x777')).toEqual({ sierra_program: [], abi });
	await sandbox.control('POST', '/stark/contracts', {
		address: '0x778',
		like: 'oldToken',
		storage: { implementation: '0x0' },
	});
	const calldata = {
		contract_address: '0x778',
		entry_point_selector: hash.getSelectorFromName('implementation'),
		calldata: [],
	};
	expect(await node.read('call', calldata, 'latest')).toEqual(['0x0']);
});
