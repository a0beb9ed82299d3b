import type { INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { WitnessWalletTrigger } from '../../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { deployContract } from '../../harness/contract.mts';
import { createPollingWorkflow } from '../../harness/poll.mts';
import { createSandbox } from '../../harness/sandbox.mts';

const KEY = '3'.repeat(64);
const PAYER = utils.address.fromPrivateKey(KEY) as string;
const base58 = (evm: string) => utils.address.fromHex(`41${evm.slice(2)}`);

const sandbox = createSandbox({ chain: true });
let client: TronWeb;
let coin: string;
let owned: bigint;

beforeAll(async () => {
	client = new TronWeb({ fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}`, privateKey: KEY });
	const deployed = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	coin = base58(deployed.address);
	owned = BigInt(`0x${utils.address.toHex(PAYER).slice(2)}`);
	const data = deployed.data('transfer(address,uint256)', owned, 1_234_567n);
	await sandbox.mined({ from: deployed.owner, to: deployed.address, data });
});
/** Stops the automatic blocks, so that the tests make the blocks themselves. */
beforeEach(async () => void (await sandbox.control('PUT', '/wallet', { blockTime: 3_600_000 })));

const mine = async () => await sandbox.control('POST', '/wallet/mine', { blocks: 20 });

const workflow = (parameters: INodeParameters) =>
	createPollingWorkflow({
		node: new WitnessWalletTrigger(),
		parameters: { event: 'value', options: { maxRetries: 0 }, ...parameters },
		credentials: sandbox.credentials.token,
	});

/** Creates an account that no other test uses. */
const newAccount = () => utils.accounts.generateAccount().address.base58;

async function pay(to: string, sun: number): Promise<void> {
	const signed = await client.trx.sign(await client.transactionBuilder.sendTrx(to, sun, PAYER));
	expect((await client.trx.sendRawTransaction(signed)).result).toBe(true);
	await mine();
}

test('coins: a value at the line is not beyond it', async () => {
	const shop = newAccount();
	const life = workflow({ address: shop, compare: 'risesAbove', threshold: '20002.5' });
	expect(await life.activate()).toEqual({ items: [], error: undefined });
	await pay(shop, 2_500_000);
	expect(await life.poll()).toEqual({ items: [], error: undefined });
	await pay(shop, 1);
	const { items } = await life.poll();
	const head = (await client.trx.getCurrentBlock()).block_header.raw_data.number;
	const block = await client.trx.getBlockByNumber(head - 19);
	expect(items).toEqual([
		{
			summary: `The balance of ${shop} rose to 20002.500001 TRX, above 20002.5 TRX`,
			measure: 'coinBalance',
			compare: 'risesAbove',
			threshold: '20002.5',
			value: '20002.500001',
			previous: '20002.5',
			unit: 'TRX',
			blockNumber: block.block_header.raw_data.number,
			previousBlockNumber: expect.any(Number) as number,
			timestamp: new Date(block.block_header.raw_data.timestamp).toISOString(),
		},
	]);
});

test('an account that does not exist holds 0', async () => {
	await sandbox.fault({ path: '/walletsolidity/getaccount', do: { status: 200, body: '{}' } });
	const { items } = await workflow({ address: PAYER, threshold: '1' }).activate();
	expect(items).toMatchObject([{ value: '0' }]);
});

test('tokens and results of functions, read where nothing is taken back', async () => {
	const account = utils.address.toHex(PAYER);
	const [ofToken] = (
		await workflow({
			measure: 'tokenBalance',
			address: PAYER,
			token: coin,
			threshold: '9000',
		}).activate()
	).items;
	expect(ofToken).toMatchObject({ measure: 'tokenBalance', unit: 'TC€' });
	const [result] = (
		await workflow({
			measure: 'functionResult',
			contract: coin,
			function: 'balanceOf(address owner) view returns (uint256 amount)',
			arguments: JSON.stringify([account]),
			output: 'amount',
			decimals: 6,
			threshold: '9000',
		}).activate()
	).items;
	expect(result).toMatchObject({ measure: 'functionResult', value: '1.234567', unit: null });
	const asked = (await sandbox.record()).map(({ path }) => path);
	expect(asked.filter((path) => /\/wallet\//.test(path))).toEqual([]);
	expect(asked).toContainEqual(expect.stringContaining('/walletsolidity/triggerconstantcontract'));
});

test('a node without the view of irreversible blocks is refused in words', async () => {
	await sandbox.control('PUT', '/wallet', { solidified: false });
	await expect(workflow({ address: PAYER, threshold: '1' }).activate()).rejects.toThrow(
		/cannot read the watched value in irreversible \(final\) blocks/,
	);
});

test.each([
	['an unknown function', { function: 'nothing() view returns (uint256)' }, /./],
	[
		'an address',
		{ function: 'owner() view returns (address)' },
		/returns address, and only an integer can be compared/,
	],
	['no output', { function: 'decimals()' }, /is declared without an output/],
])('%s is refused when the workflow is activated', async (_what, call, words) => {
	const parameters = { measure: 'functionResult', contract: coin, threshold: '1', ...call };
	await expect(workflow(parameters).activate()).rejects.toThrow(words);
});

test('a test by hand shows the value, and an answer that is none fails the poll', async () => {
	const life = workflow({ address: PAYER, threshold: '0.000001' });
	await life.activate();
	await mine();
	const before = life.inMemory();
	await sandbox.fault({ path: '/walletsolidity/getaccount', do: { status: 200, body: '[]' } });
	const { items, error } = await life.poll();
	expect([items, error === undefined]).toEqual([[], false]);
	expect(life.inMemory()).toBe(before);
});
