import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { mnemonicToAccount } from 'viem/accounts';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { deployContract } from '../../harness/contract.mts';
import { runNode, type NodeRun } from '../../harness/engine.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { createTestServer, getCalls, sendJson, type RpcCall } from '../../harness/server.mts';

/** A node between the user and an honest chain, whose answers a test decides. */
type Lies = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

const MNEMONIC = 'test test test test test test test test test test test junk';
const owner = mnemonicToAccount(MNEMONIC).address;
const payee = '0x00000000000000000000000000000000000000A1';
const DECIMALS = '0x313ce567';
const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

const sandbox = createSandbox({ chain: true });
let token: string;
let lies: Lies = {};

beforeAll(async () => {
	token = (await deployContract(sandbox, 'Allowed', { file: 'Write' })).address;
});
beforeEach(() => void (lies = {}));

const node = createTestServer(async (received, response) => {
	const replies = await Promise.all(getCalls(received).map(replyTo));
	sendJson(response, 200, Array.isArray(received.json) ? replies : replies[0]);
});

async function replyTo({ id, method, params }: RpcCall): Promise<object> {
	const lie = lies[method]?.(params);
	const truth = async () => await sandbox.chain(method, ...params).then(asResult, asError);
	return { jsonrpc: '2.0', id, ...(lie === undefined ? await truth() : asResult(lie)) };
}

const asResult = (result: unknown) => ({ result });
const asError = ({ message }: Error) => ({ error: { code: -32000, message } });

async function preparing(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'transaction',
			operation: 'prepare',
			from: owner,
			to: payee,
			...parameters,
		},
		credentials: node.credentials.token,
		...more,
	});
}

const coins = { amount: '1' };
const tokens = () => ({ kind: 'tokenTransfer', token, amount: '1.5' });
const approval = (amount: string) => ({ kind: 'tokenApproval', token, spender: payee, amount });

/** Returns the message of a refusal, after which there is no output. */
async function refusal(parameters: INodeParameters) {
	const { items, error } = await preparing(parameters);
	expect(items).toEqual([]);
	return { message: error?.message, description: error?.description };
}

describe('the chain that is expected', () => {
	test.each(['31337', ' 31337 ', '0x7a69', '={{ 31337 }}', '={{ "0x7A69" }}'])(
		'%s is that of the node',
		async (expectChainId) => {
			const { items } = await preparing({ ...coins, options: { expectChainId } });
			expect(items[0]?.json).toMatchObject({ transaction: { chainId: '0x7a69' } });
		},
	);

	test('is named with the one that the node returns', async () => {
		const reported = await refusal({ ...coins, options: { expectChainId: '0x1' } });
		expect(reported.message).toBe(
			'The node says that it belongs to chain 31337, where chain 1 is expected',
		);
		expect(reported.description).toMatch(
			/^Nothing was prepared, because what is signed is valid on/,
		);
	});

	test('is not that of a node of a test chain that says it is another', async () => {
		lies = { eth_chainId: () => '0x1' };
		expect((await preparing(coins)).items).toHaveLength(1);
		expect(await refusal({ ...coins, options: { expectChainId: 31337 } })).toMatchObject({
			message: 'The node says that it belongs to chain 1, where chain 31337 is expected',
		});
	});

	test.each<[what: string, parameters: () => INodeParameters, lies: Lies]>([
		['a token that is none', () => ({ ...tokens(), token: owner }), {}],
		['an account without funds', () => ({ amount: '1000000' }), {}],
		['fees that are none', () => coins, { eth_gasPrice: () => 'much' }],
		['a count that is none', () => coins, { eth_getTransactionCount: () => 'many' }],
	])('comes before whatever else is wrong: %s', async (_, parameters, other) => {
		lies = other;
		const { message } = await refusal({ ...parameters(), options: { expectChainId: '1' } });
		expect(message).toBe('The node says that it belongs to chain 31337, where chain 1 is expected');
	});

	test('costs no request more', async () => {
		await preparing(coins);
		const before = node.received.length;
		await preparing({ ...coins, options: { expectChainId: '31337' } });
		expect(node.received).toHaveLength(2 * before);
	});

	test('may differ from item to item; where it is another one, no nonce is taken', async () => {
		const expectChainId = '={{ $json.chain }}';
		const { items } = await preparing(
			{ ...coins, options: { expectChainId } },
			{
				items: [31337, 1, 31337].map((chain) => ({ json: { chain } })),
				onError: 'continueRegularOutput',
			},
		);
		const [first, failed, second] = items.map(({ json }) => json);
		const nonceOf = (json?: IDataObject) => Number((json?.transaction as IDataObject)?.nonce);
		expect(failed?.error).toMatch(/^The node says that it belongs to chain 31337/);
		expect(nonceOf(second)).toBe(nonceOf(first) + 1);
	});
});

describe('the decimals that are expected', () => {
	test.each(['6', '0x6', '={{ 6 }}', ' 6 '])(
		'%s are those of the token',
		async (expectDecimals) => {
			const options = { expectDecimals };
			const { items } = await preparing({ ...tokens(), options });
			expect(items[0]?.json.summary).toMatch(
				/^Send 1\.5 of the token 0x\w{40} \("ALW", 6 decimals\) to/,
			);
			for (const amount of ['1.5', 'unlimited', '0'])
				expect((await preparing({ ...approval(amount), options })).items).toHaveLength(1);
		},
	);

	test.each<[what: string, parameters: () => INodeParameters]>([
		['a transfer', tokens],
		['an approval', () => approval('1.5')],
		['an approval of 0', () => approval('0')],
		['an unlimited approval', () => approval('unlimited')],
	])('are not 18 of a node that lies, for %s', async (_, parameters) => {
		lies = {
			eth_call: ([call]) => word((call as { data: string }).data === DECIMALS ? 18 : 1),
			// A true estimate would fail: the account does not have a trillion times the amount.
			eth_estimateGas: () => '0xc350',
		};
		expect((await preparing(parameters())).items).toHaveLength(1);
		const reported = await refusal({ ...parameters(), options: { expectDecimals: '6' } });
		expect(reported.message).toBe(`The token at ${token} tells 18 decimals, where 6 are expected`);
		expect(reported.description).toMatch(/^Nothing was prepared, because an amount would mean/);
	});

	test.each<[parameters: () => INodeParameters]>([
		[() => ({ ...tokens(), token: owner })],
		[() => ({ ...approval('unlimited'), token: owner })],
	])('are not those of a token that returns none: %#', async (parameters) => {
		const { message } = await refusal({ ...parameters(), options: { expectDecimals: '6' } });
		expect(message).toBe(`The token at ${owner} tells no decimals, where 6 are expected`);
	});
});

describe('an expectation that says nothing is refused before anything is asked:', () => {
	test.each<[options: INodeParameters, words: RegExp]>([
		...['={{ "" }}', '={{ null }}', '={{ $json.chain }}', ' ', 'mainnet', '-1', '1.5', '1,5'].map(
			(given): [INodeParameters, RegExp] => [
				{ expectChainId: given },
				/^'Options > Expect Chain ID' must be a whole number of 0 or more, decimal or 0x-hex; /,
			],
		),
		[{ expectChainId: '0' }, /^'Options > Expect Chain ID' must be 1 or more; got "0"/],
		[{ expectChainId: '={{ [1] }}' }, /^'Options > Expect Chain ID' must be a whole number/],
		[{ expectChainId: '={{ 2 ** 60 }}' }, /^'Options > Expect Chain ID' must be given as text/],
		[{ expectDecimals: '={{ "" }}' }, /^'Options > Expect Decimals' must be a whole number of 0/],
		[{ expectDecimals: '256' }, /^'Options > Expect Decimals' must be a whole number, 0 to 255/],
		[{ expectDecimals: 'six' }, /^'Options > Expect Decimals' must be a whole number of 0/],
	])('%j', async (options, words) => {
		expect(await refusal({ ...tokens(), options })).toMatchObject({
			message: expect.stringMatching(words),
		});
		expect(node.received).toEqual([]);
	});

	test.each<[kind: string, parameters: INodeParameters]>([
		['Coin Transfer', coins],
		['Contract Function', { kind: 'contractFunction', function: 'stop()' }],
		['Data', { kind: 'data', data: '0x00' }],
		['Deployment', { kind: 'deployment', bytecode: '0x6000' }],
		['NFT Transfer', { kind: 'nftTransfer', contract: owner, tokenId: '1' }],
	])('the decimals of a %s', async (kind, parameters) => {
		const { message } = await refusal({ ...parameters, options: { expectDecimals: '6' } });
		expect(message).toBe(`'Options > Expect Decimals' must be removed where 'Kind' is ${kind}`);
		expect(node.received).toEqual([]);
	});
});

describe('a count of transactions', () => {
	const counts = (mined: string, all: string): Lies => ({
		eth_getTransactionCount: ([, block]) => (block === 'latest' ? mined : all),
	});

	test('that is below that in blocks is refused', async () => {
		lies = counts('0x9', '0x7');
		const reported = await refusal(coins);
		expect(reported.message).toBe(
			`The node contradicts itself: ${owner} has 9 transactions in blocks, and 7 with those that wait`,
		);
		expect(reported.description).toMatch(/^Nothing was prepared\. The node is behind its chain/);
	});

	test('of tomorrow shows in the summary', async () => {
		lies = counts('0x7', '0x3ef');
		const { items } = await preparing(coins);
		expect(items[0]?.json.summary).toMatch(
			/^Send 1 coin to 0x\w{40} for a fee of at most 0\.\d+ coins on chain 31337, nonce 1007, after 1000 transactions that are in no block yet\.$/,
		);
	});

	test('is asked for in the request that asks for all else', async () => {
		await preparing(coins);
		expect(node.received).toHaveLength(1);
	});
});
