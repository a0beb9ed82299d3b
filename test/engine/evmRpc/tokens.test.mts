import type { INodeParameters } from 'n8n-workflow';
import { getAddress } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const sandbox = createSandbox({ chain: true });
let coin: Contract;
let others: Record<'old' | 'proxied' | 'hostile' | 'collectible', Contract>;
let accounts: string[];
const { run, first, calls } = evmRpcAt(sandbox);

beforeAll(async () => {
	accounts = (await sandbox.chain('eth_accounts')) as string[];
	const put = async (name: string, ...given: bigint[]) =>
		await deployContract(sandbox, name, { file: 'Tokens', given });
	coin = await put('Coin');
	const constant = await put('Constant');
	others = {
		old: await put('OldCoin'),
		proxied: await put('Proxy', BigInt(constant.address)),
		hostile: await put('Hostile'),
		collectible: await put('Collectible'),
	};
});

const of = (operation: string, parameters: INodeParameters) => ({
	resource: 'token',
	operation,
	...parameters,
});
const nobody = '0x00000000000000000000000000000000000000aa';
const MOST = (2n ** 256n - 1n).toString();

describe('a token', () => {
	const get = async (token: string) => await first(of('get', { token }));

	test('returns its name, symbol, decimals and supply', async () => {
		expect(await get(coin.address)).toEqual({
			token: getAddress(coin.address),
			name: 'Test Coin',
			symbol: 'TC€',
			decimals: 6,
			totalSupply: '1000000500000',
			supply: '1000000.5',
		});
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('of the old kind has its texts in 32 bytes; what it does not return is null', async () => {
		expect(await get(others.old.address)).toMatchObject({
			name: 'Old Coin',
			symbol: 'OLD',
			decimals: null,
			totalSupply: '7',
			supply: null,
		});
	});

	test('behind a proxy is one like any other', async () => {
		expect(await get(others.proxied.address)).toMatchObject({
			name: 'Behind a Proxy',
			symbol: 'PXY',
			decimals: 18,
			supply: '1.5',
		});
	});

	test.each([
		['an account', () => nobody],
		['another contract', () => others.collectible.address],
		['one with answers that are none', () => others.hostile.address],
	])('is not %s', async (_, address) => {
		expect(await get(address())).toMatchObject({
			message: `There is no token at ${address()}`,
			description: expect.stringMatching(/there is no contract at this address on this chain/),
		});
	});
});

describe('a balance', () => {
	const balance = (parameters: INodeParameters) =>
		of('getBalance', { token: coin.address, ...parameters });

	test('is returned in whole coins, exactly, from calls that travel together', async () => {
		const owner = coin.owner.toLowerCase();
		expect(await first(balance({ owner }))).toEqual({
			token: getAddress(coin.address),
			owner: getAddress(owner),
			symbol: 'TC€',
			decimals: 6,
			value: '1000000500000',
			amount: '1000000.5',
			balance: '1000000500000',
		});
		expect((await sandbox.record()).map((request) => request.calls)).toEqual([3]);
	});

	test('is read at any block', async () => {
		const block = Number(await sandbox.chain('eth_blockNumber'));
		const to = accounts[1] ?? '';
		const data = coin.data('transfer(address,uint256)', BigInt(to), 5);
		await sandbox.mined({ from: coin.owner, to: coin.address, data });
		expect(await first(balance({ owner: to, block }))).toMatchObject({ balance: '0', amount: '0' });
		expect(await first(balance({ owner: to }))).toMatchObject({ balance: '5', amount: '0.000005' });
	});

	test('of a token without decimals has no amount', async () => {
		const { address: token, owner } = others.old;
		expect(await first(balance({ token, owner }))).toMatchObject({
			symbol: 'OLD',
			decimals: null,
			balance: '7',
			amount: null,
		});
	});

	test('of a hostile token is returned; its facts are null', async () => {
		const { address: token, owner } = others.hostile;
		expect(await first(balance({ token, owner }))).toMatchObject({
			symbol: null,
			decimals: null,
			balance: MOST,
			amount: null,
		});
	});

	test('of what is no token is a failure of its own', async () => {
		const { items } = await run(of('getBalance', { token: '={{ $json.token }}', owner: nobody }), {
			items: [coin.address, nobody, others.old.address].map((token) => ({ json: { token } })),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error ?? json.balance)).toEqual([
			'0',
			`There is no token at ${nobody}`,
			'0',
		]);
	});

	test('is read for a thousand accounts in few requests, the facts of the token once', async () => {
		const items = Array.from({ length: 1000 }, (_, index) => ({
			json: { owner: `0x${(index + 1).toString(16).padStart(40, '0')}` },
		}));
		const found = await run(balance({ owner: '={{ $json.owner }}' }), { items });
		expect(found.items.map(({ json }) => [json.owner, json.symbol, json.amount])).toEqual(
			items.map(({ json }) => [getAddress(json.owner), 'TC€', '0']),
		);
		const record = await sandbox.record();
		const sent = record.reduce((sum, request) => sum + request.calls, 0);
		process.stdout.write(`1,000 balances of a token: ${sent} calls in ${record.length} requests\n`);
		expect(sent).toBeLessThanOrEqual(1010);
		expect(record.length).toBeLessThanOrEqual(14);
	});
});

describe('an allowance', () => {
	const allowance = async (parameters: INodeParameters) =>
		await first(of('getAllowance', { spender: nobody, ...parameters }));

	test('is returned in whole coins, exactly', async () => {
		const data = coin.data('approve(address,uint256)', BigInt(nobody), 1_234_567);
		await sandbox.mined({ from: coin.owner, to: coin.address, data });
		expect(await allowance({ token: coin.address, owner: coin.owner })).toEqual({
			token: getAddress(coin.address),
			owner: getAddress(coin.owner),
			spender: getAddress(nobody),
			symbol: 'TC€',
			decimals: 6,
			allowance: '1234567',
			amount: '1.234567',
		});
	});

	test('of what is no token is a failure', async () => {
		expect(await allowance({ token: accounts[1], owner: coin.owner })).toMatchObject({
			message: expect.stringMatching(/^There is no token at/),
		});
	});
});

describe('transfers', () => {
	let begin: number;
	const [payee, secondPayee, thirdPayee] = ['a1', 'b2', 'c3'].map(
		(end) => `0x${end.padStart(40, '0')}`,
	) as [...[string, string, string]];
	const pay = async (to: string, amount: number) =>
		await sandbox.mined({
			from: coin.owner,
			to: coin.address,
			data: coin.data('transfer(address,uint256)', BigInt(to), amount),
		});
	const transfers = (parameters: INodeParameters) =>
		of('getTransfers', { fromBlock: begin, returnAll: true, ...parameters });
	const values = async (parameters: INodeParameters) =>
		(await run(transfers(parameters))).items.map(({ json }) => json.value);

	beforeAll(async () => {
		begin = Number(await sandbox.chain('eth_blockNumber')) + 1;
		await pay(payee, 1_500_000);
		await pay(secondPayee, 2);
		for (const { address, data } of [others.hostile]) {
			const call = data('send(address)', BigInt(payee));
			await sandbox.mined({ from: coin.owner, to: address, data: call });
		}
		const data = others.collectible.data('transfer(address,uint256)', BigInt(payee), 9);
		await sandbox.mined({ from: coin.owner, to: others.collectible.address, data });
		await pay(thirdPayee, 3);
		await pay(coin.owner, 4);
	});

	test('have exact amounts, symbols and decimals', async () => {
		const { items } = await run(transfers({ tokens: coin.address, accounts: payee }));
		expect(items.map(({ json }) => json)).toEqual([
			{
				key: expect.stringMatching(/^0x[0-9a-f]{64}:[0-9a-f]{32}$/),
				chain: 'evm',
				timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
				token: getAddress(coin.address),
				symbol: 'TC€',
				decimals: 6,
				from: getAddress(coin.owner),
				to: getAddress(payee),
				value: '1500000',
				amount: '1.5',
				comment: null,
				blockNumber: begin,
				blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				logIndex: 0,
			},
		]);
	});

	test('of any token leave out what is none, and what a token does not return is null', async () => {
		const { items } = await run(transfers({ accounts: payee }));
		expect(items.map(({ json }) => [json.symbol, json.decimals, json.value, json.amount])).toEqual([
			['TC€', 6, '1500000', '1.5'],
			[null, null, MOST, null],
		]);
	});

	test('are those from, to, or on either side of the accounts, each once and in order', async () => {
		const all = ['1500000', '2', MOST, '3', '4'];
		expect(await values({})).toEqual(all);
		expect(await values({ accounts: coin.owner })).toEqual(all);
		expect(await values({ accounts: coin.owner, direction: 'from' })).toEqual(all);
		expect(await values({ accounts: coin.owner, direction: 'to' })).toEqual(['4']);
		expect(await values({ accounts: [secondPayee, thirdPayee] })).toEqual(['2', '3']);
		expect(await values({ accounts: [secondPayee, thirdPayee], direction: 'from' })).toEqual([]);
		expect(await values({ tokens: [coin.address], accounts: secondPayee })).toEqual(['2']);
	});

	test('begin a number of blocks or a time back from the last block', async () => {
		const all = ['1500000', '2', MOST, '3', '4'];
		expect(await values({ fromBlock: undefined })).toEqual(expect.arrayContaining(all));
		expect(await values({ fromBlock: '3 blocks back', toBlock: begin + 4 })).toEqual([MOST, '3']);
		expect(await values({ fromBlock: '1 week back' })).toEqual(expect.arrayContaining(all));
	});

	test('are read in parts where the node searches only a few blocks at a time', async () => {
		await sandbox.control('PUT', '/searches', { maxBlocks: 2 });
		expect(await values({ accounts: coin.owner })).toEqual(['1500000', '2', MOST, '3', '4']);
		expect(await values({ returnAll: false, limit: 2 })).toEqual(['1500000', '2']);
	});

	test('ask for the facts of a token once, and for those of a limit alone', async () => {
		expect(await values({ returnAll: false, limit: 1 })).toEqual(['1500000']);
		const sent = (await calls()).flatMap((request) => request.calls);
		const facts = sent.filter(({ method }) => method === 'eth_call');
		expect(facts.length).toBeLessThanOrEqual(2);
		expect(sent.length).toBeLessThanOrEqual(3);
	});
});

test.each([
	[{ operation: 'get', token: '0x12' }, /^'Token' must be an address/],
	[{ operation: 'getBalance', token: nobody, owner: '={{ "" }}' }, /^'Owner' is required/],
	[
		{ operation: 'getTransfers', fromBlock: '9', toBlock: '0x8' },
		/^'From Block' must not be later/,
	],
	[{ operation: 'getTransfers', fromBlock: '={{ "" }}' }, /^'From Block' is required/],
	[{ operation: 'getTransfers', fromBlock: 'pending' }, /^'From Block' must be latest, safe/],
	[{ operation: 'getTransfers', fromBlock: 1, tokens: 'USDC' }, /^'Tokens' must be an address/],
])('%p is refused', async (parameters, message) => {
	const error = await first({ resource: 'token', ...parameters });
	expect(error).toMatchObject({ message: expect.stringMatching(message) });
	expect(await sandbox.record()).toEqual([]);
});

describe('balances of a list of tokens', () => {
	const account = () => accounts[4] ?? '';
	const list = async (parameters: INodeParameters, owners: readonly string[] = [nobody]) => {
		const { items, error } = await run(
			of('getBalances', { owner: '={{ $json.owner }}', ...parameters }),
			{
				items: owners.map((owner) => ({ json: { owner } })),
			},
		);
		return { error, found: items.map(({ json, pairedItem }) => ({ ...json, pairedItem })) };
	};

	test('are those of each token and owner, in one round, and a bad token spoils nothing', async () => {
		const tokens = [coin.address, nobody, account(), others.proxied.address];
		const owners = [accounts[0] ?? '', nobody, accounts[1] ?? ''];
		const { found, error } = await list({ tokens: tokens.join(', ') }, owners);
		expect(error).toBeUndefined();
		expect(await sandbox.record()).toHaveLength(1);
		expect(found).toHaveLength(12);
		for (const [at, owner] of owners.entries()) {
			const own = found.slice(4 * at, 4 * at + 4);
			const alone = await first(of('getBalance', { token: coin.address, owner }));
			expect(own[0]).toEqual({ ...alone, pairedItem: { item: at } });
			for (const bad of own.slice(1, 3)) {
				expect(bad).toMatchObject({ balance: null, amount: null, owner: getAddress(owner) });
				expect(bad).toHaveProperty('error', expect.stringMatching(/^There is no token at 0x/));
			}
			expect(own[3]).toMatchObject({ symbol: 'PXY', decimals: 18 });
			expect(own[3]).not.toHaveProperty('error');
		}
	});

	test('leave out what is zero by choice, never what is not known', async () => {
		const tokens = [coin.address, account()];
		const { found } = await list({ tokens, options: { includeZero: false } });
		expect(found).toMatchObject([{ token: getAddress(account()), balance: null }]);
	});

	test('of no token, or of what is no address, are refused before anything is sent', async () => {
		for (const tokens of ['={{ [] }}', 'all', `${coin.address}, 0x1`])
			expect((await list({ tokens })).error?.message).toMatch(/^'Tokens' /);
		expect(await sandbox.record()).toEqual([]);
	});

	test('fail as a whole where it is the node that fails', async () => {
		await sandbox.fault({ do: { status: 401 } });
		const { error, found } = await list({ tokens: coin.address });
		expect([error === undefined, found]).toEqual([false, []]);
	});
});
