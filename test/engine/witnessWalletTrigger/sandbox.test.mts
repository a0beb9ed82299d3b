import type { INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { WitnessWalletTrigger } from '../../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { deployContract } from '../../harness/contract.mts';
import { createPollingWorkflow } from '../../harness/poll.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { requireItems } from './support/watch.mts';

const KEY = '1'.repeat(64);
const PAYER = utils.address.fromPrivateKey(KEY) as string;
const SHOP = utils.address.fromPrivateKey('2'.repeat(64)) as string;
const base58 = (evm: string) => utils.address.fromHex(`41${evm.slice(2)}`);
const FEE_LIMIT_SUN = 100_000_000;
const IRREVERSIBLE_BLOCKS = 20;

const sandbox = createSandbox({ chain: true });
let client: TronWeb;
let coin: string;
let relay: string;

beforeAll(async () => {
	client = new TronWeb({
		fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}`,
		privateKey: KEY,
	});
	const deployed = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	coin = base58(deployed.address);
	relay = base58((await deployContract(sandbox, 'Relay')).address);
	const owned = BigInt(`0x${utils.address.toHex(PAYER).slice(2)}`);
	const data = deployed.data('transfer(address,uint256)', owned, 500_000_000n);
	await sandbox.mined({ from: deployed.owner, to: deployed.address, data });
});
/** Stops the automatic blocks, so that the tests make the blocks themselves. */
beforeEach(async () => void (await sandbox.control('PUT', '/wallet', { blockTime: 3_600_000 })));

const mine = async (blocks = IRREVERSIBLE_BLOCKS) =>
	await sandbox.control('POST', '/wallet/mine', { blocks });

/** Signs and broadcasts a transaction that tronweb has built, and returns its ID. */
async function send(built: object): Promise<string> {
	const signed = await client.trx.sign(built as never);
	const { result, txid } = (await client.trx.sendRawTransaction(signed as never)) as {
		result: boolean;
		txid: string;
	};
	expect(result).toBe(true);
	return txid;
}

async function pay(amount: number, memo: string): Promise<string> {
	const built = await client.transactionBuilder.sendTrx(SHOP, amount, PAYER);
	const options = { txLocal: true };
	return await send(await client.transactionBuilder.addUpdateData(built, memo, 'utf8', options));
}

async function callContract(
	contract: string,
	signature: string,
	callValue: number,
	values: ReadonlyArray<{ type: string; value: unknown }>,
): Promise<string> {
	const { transaction } = await client.transactionBuilder.triggerSmartContract(
		contract,
		signature,
		{ callValue, feeLimit: FEE_LIMIT_SUN },
		values as never,
		PAYER,
	);
	return await send(transaction);
}

const payTokens = async (value: number) =>
	await callContract(coin, 'transfer(address,uint256)', 0, [
		{ type: 'address', value: SHOP },
		{ type: 'uint256', value },
	]);
const passOn = async (amount: number) =>
	await callContract(relay, 'pass(address)', amount, [{ type: 'address', value: SHOP }]);

const workflow = (parameters: INodeParameters, saved?: string) =>
	createPollingWorkflow(
		{ node: new WitnessWalletTrigger(), parameters, credentials: sandbox.credentials.token },
		{ saved },
	);

describe('the sandbox is read by the client of the chain', () => {
	test('blocks are alone, by hash and in ranges, and each names the one before', async () => {
		const head = await client.trx.getCurrentBlock();
		const { number } = head.block_header.raw_data;
		await mine(3);
		const range = await client.trx.getBlockRange(number, number + 3);
		expect(range.map((block) => block.block_header.raw_data.number)).toEqual(
			[0, 1, 2, 3].map((more) => number + more),
		);
		for (const [index, block] of range.slice(1).entries()) {
			expect(block.block_header.raw_data.parentHash).toBe(range[index]?.blockID);
		}
		expect(await client.trx.getBlockByHash(String(range[2]?.blockID))).toEqual(range[2]);
		expect(await client.trx.getBlockByNumber(number + 2)).toEqual(range[2]);
	});

	test('a call has its log, which decodes, and the coins that the contract sent', async () => {
		const paid = await payTokens(25);
		const passed = await passOn(7);
		await mine();
		const { log = [] } = await client.trx.getTransactionInfo(paid);
		const [event] = log;
		expect(event?.address).toBe(utils.address.toHex(coin).slice(2).toLowerCase());
		const abi = new utils.ethersUtils.Interface([
			'event Transfer(address indexed from, address indexed to, uint256 value)',
		]);
		const decoded = abi.parseLog({
			topics: (event?.topics ?? []).map((topic) => `0x${topic}`),
			data: `0x${event?.data}`,
		});
		expect(utils.address.fromHex(String(decoded?.args.to))).toBe(SHOP);
		expect(decoded?.args.value).toBe(25n);
		const { internal_transactions } = (await client.trx.getTransactionInfo(passed)) as unknown as {
			internal_transactions: object[];
		};
		expect(internal_transactions).toEqual([
			expect.objectContaining({
				caller_address: utils.address.toHex(relay).toLowerCase(),
				transferTo_address: utils.address.toHex(SHOP).toLowerCase(),
				callValueInfo: [{ callValue: 7 }],
				note: Buffer.from('call').toString('hex'),
			}),
		]);
	});

	test('what is not irreversible is not in the view of that', async () => {
		const id = await pay(1, 'now');
		await mine(1);
		expect(await client.trx.getTransactionInfo(id)).toEqual({});
		expect(await client.trx.getUnconfirmedTransactionInfo(id)).toMatchObject({ id });
		await mine();
		expect(await client.trx.getTransactionInfo(id)).toMatchObject({ id });
	});
});

describe('a workflow', () => {
	test('starts for payments by transfer and inside contracts, after a restart too', async () => {
		const parameters = { addresses: SHOP, direction: 'in' };
		const begun = workflow(parameters);
		await begun.activate();
		const id = await pay(1_500_000, 'order 7');
		await mine();
		expect(requireItems(await begun.poll())).toEqual([
			expect.objectContaining({
				from: PAYER,
				to: SHOP,
				amount: '1.5',
				memo: 'order 7',
				transactionId: id,
			}),
		]);
		const inside = await passOn(2_000_000);
		await mine();
		const again = workflow(parameters, begun.saved());
		expect(requireItems(await again.poll())).toEqual([
			expect.objectContaining({ from: relay, to: SHOP, amount: '2', transactionId: inside }),
		]);
		expect(requireItems(await again.poll())).toEqual([]);
	});

	test('starts for payments in a token, once its node has the view of what is irreversible', async () => {
		const begun = workflow({ event: 'tokenPayment', tokens: coin, addresses: SHOP });
		await begun.activate();
		const id = await payTokens(1_250_000);
		await mine();
		await sandbox.control('PUT', '/wallet', { blockTime: 3_600_000, listsBlocks: false });
		expect(requireItems(await begun.poll())).toEqual([
			expect.objectContaining({
				token: coin,
				decimals: 6,
				from: PAYER,
				to: SHOP,
				amount: '1.25',
				transactionHash: id,
			}),
		]);
	});

	test('starts for events of a contract, with what the client of the chain reads in them', async () => {
		const eventSignature = 'Transfer(address indexed from, address indexed to, uint256 value)';
		const begun = workflow({ event: 'contractEvent', contracts: coin, eventSignature });
		await begun.activate();
		const id = await payTokens(1_250_000);
		await mine();
		const [item] = requireItems(await begun.poll());
		const { log: [event] = [], blockNumber } = await client.trx.getTransactionInfo(id);
		const [, from = '', to = ''] = event?.topics ?? [];
		const types = ['address', 'address', 'uint256'];
		const words = `0x${from}${to}${event?.data}`;
		const [sender, receiver, value] = client.utils.abi.decodeParams([], types, words) as unknown[];
		expect(item).toMatchObject({
			address: client.address.fromHex(`41${event?.address}`),
			topics: event?.topics,
			data: event?.data,
			args: {
				from: client.address.fromHex(String(sender)),
				to: client.address.fromHex(String(receiver)),
				value: String(value),
			},
			blockNumber,
			transactionHash: id,
		});
	});

	test('starts without that view too', async () => {
		await sandbox.control('PUT', '/wallet', { blockTime: 3_600_000, solidified: false });
		const begun = workflow({ addresses: SHOP });
		await begun.activate();
		await pay(1, 'late');
		await mine(19);
		expect(requireItems(await begun.poll())).toEqual([]);
		await mine(1);
		expect(requireItems(await begun.poll())).toMatchObject([{ memo: 'late' }]);
	});
});
