import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Stark } from '../../nodes/Stark/Stark.node';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { Ton } from '../../nodes/Ton/Ton.node';
import { TonTrigger } from '../../nodes/TonTrigger/TonTrigger.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { WitnessWalletTrigger } from '../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { buildTonScene } from '../cases/tonScene.mts';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { readStarkInfo, sendStarkCalls } from '../harness/starkChain.mts';

/**
 * These tests check that the payments of all chains have equal fields, so that a workflow can put them into one
 * table.
 */

const sandbox = createSandbox({ chain: true });

interface Read {
	readonly items: readonly IDataObject[];
}

/** A kind of payment, with the triggers that report it, and the operation that lists past payments. */
interface Kind {
	/** Makes three payments of 2.5, two of them in one transaction if the chain can, and one payment of less than 1. */
	pay(): Promise<unknown>;
	readonly trigger: INodeType;
	readonly watchIn: INodeParameters;
	readonly watchOut: INodeParameters;
	/** True if Min Amount is a field of the node, and not an option. */
	readonly hasMinField?: boolean;
	readonly list?: { readonly node: INodeType; readonly parameters: INodeParameters };
	readonly payments: number;
}

async function run(node: INodeType, parameters: INodeParameters): Promise<IDataObject[]> {
	const { items, error } = await runNode({
		node,
		parameters: { ...parameters },
		credentials: sandbox.credentials.token,
	});
	if (error) throw error;
	return items.map(({ json }) => json);
}

async function begin(node: INodeType, parameters: INodeParameters, saved?: string) {
	const { token: credentials } = sandbox.credentials;
	const workflow = createPollingWorkflow({ node, parameters, credentials }, { saved });
	const { error } = await workflow.activate();
	if (error) throw error;
	return workflow;
}

async function poll({ poll: read }: Awaited<ReturnType<typeof begin>>): Promise<Read['items']> {
	const { items, error } = await read();
	if (error) throw error;
	return items;
}

const PAYEE = `0x${'a1'.padStart(40, '0')}`;

async function deployCoin() {
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const transfer = async (to: string, units: bigint) =>
		await sandbox.mined({
			from: coin.owner,
			to: coin.address,
			gas: '0x186a0',
			data: coin.data('transfer(address,uint256)', BigInt(to), units),
		});
	return { ...coin, transfer };
}

async function createEvmTokens(): Promise<Kind> {
	const coin = await deployCoin();
	const watch = (accounts: string, direction: string) => ({
		event: 'tokenTransfer',
		tokens: coin.address,
		accounts,
		direction,
	});
	return {
		pay: async () => {
			for (const units of [2_500_000n, 2_500_000n, 900_000n]) await coin.transfer(PAYEE, units);
		},
		trigger: new ActivityTrigger(),
		watchIn: watch(PAYEE, 'to'),
		watchOut: watch(coin.owner, 'from'),
		list: {
			node: new EvmRpc(),
			parameters: {
				resource: 'token',
				operation: 'getTransfers',
				tokens: coin.address,
				fromBlock: '0',
				returnAll: true,
			},
		},
		payments: 3,
	};
}

async function createEvmCoins(): Promise<Kind> {
	const [from = ''] = (await sandbox.chain('eth_accounts')) as string[];
	const watch = (addresses: string, direction: string) => ({
		event: 'addressActivity',
		addresses,
		direction,
	});
	return {
		pay: async () => {
			for (const wei of [25n * 10n ** 17n, 25n * 10n ** 17n, 9n * 10n ** 17n])
				await sandbox.mined({ from, to: PAYEE, value: `0x${wei.toString(16)}` });
		},
		trigger: new ActivityTrigger(),
		watchIn: watch(PAYEE, 'to'),
		watchOut: watch(from, 'from'),
		payments: 3,
	};
}

const WITNESS_KEY = '1'.repeat(64);
const [WITNESS_PAYER, WITNESS_SHOP] = [WITNESS_KEY, '2'.repeat(64)].map(
	(key) => utils.address.fromPrivateKey(key) as string,
) as [string, string];
const toBase58 = (evm: string) => utils.address.fromHex(`41${evm.slice(2)}`);

function createWitnessClient(): TronWeb {
	const fullHost = `${sandbox.nodeUrl}/${sandbox.authToken}`;
	return new TronWeb({ fullHost, privateKey: WITNESS_KEY });
}

async function broadcast(client: TronWeb, built: object): Promise<void> {
	const sent = await client.trx.sendRawTransaction(
		(await client.trx.sign(built as never)) as never,
	);
	expect(sent.result).toBe(true);
}

/** Adds blocks to the TRON chain, and returns the number of the latest block. */
async function mine(blocks: number): Promise<number> {
	const { head } = (await sandbox.control('POST', '/wallet/mine', { blocks })) as { head: number };
	return head;
}

const settle = async () => await mine(20);
const MEMO = 'Invoice 42';

async function createWitnessCoins(): Promise<Kind> {
	const client = createWitnessClient();
	const watch = (addresses: string, direction: string) => ({ addresses, direction });
	return {
		pay: async () => {
			for (const [index, sun] of [2_500_000, 2_500_000, 900_000].entries()) {
				const built = await client.transactionBuilder.sendTrx(WITNESS_SHOP, sun, WITNESS_PAYER);
				const memo = `${MEMO}.${index}`;
				const { transactionBuilder } = client;
				await broadcast(
					client,
					await transactionBuilder.addUpdateData(built, memo, 'utf8', { txLocal: true }),
				);
			}
			await settle();
		},
		trigger: new WitnessWalletTrigger(),
		watchIn: watch(WITNESS_SHOP, 'in'),
		watchOut: watch(WITNESS_PAYER, 'out'),
		hasMinField: true,
		payments: 3,
	};
}

async function createWitnessTokens(): Promise<Kind> {
	const coin = await deployCoin();
	const client = createWitnessClient();
	await coin.transfer(`0x${utils.address.toHex(WITNESS_PAYER).slice(2)}`, 500_000_000n);
	const tokens = toBase58(coin.address);
	const fromBlock = String(await mine(1));
	const watch = (addresses: string, direction: string) => ({
		event: 'tokenPayment',
		tokens,
		addresses,
		direction,
	});
	return {
		pay: async () => {
			for (const value of [2_500_000, 2_500_001, 900_000]) {
				const { transaction } = await client.transactionBuilder.triggerSmartContract(
					tokens,
					'transfer(address,uint256)',
					{ feeLimit: 100_000_000 },
					[
						{ type: 'address', value: WITNESS_SHOP },
						{ type: 'uint256', value },
					],
					WITNESS_PAYER,
				);
				await broadcast(client, transaction);
			}
			await settle();
		},
		trigger: new WitnessWalletTrigger(),
		watchIn: watch(WITNESS_SHOP, 'in'),
		watchOut: watch(WITNESS_PAYER, 'out'),
		list: {
			node: new WitnessWallet(),
			parameters: {
				resource: 'token',
				operation: 'getTransfers',
				tokens,
				fromBlock,
				returnAll: true,
			},
		},
		payments: 3,
	};
}

async function payOnTon(to: string, amounts: readonly string[], more: object = {}) {
	for (const [index, amount] of amounts.entries())
		await sandbox.control('POST', '/ton/pay', { to, amount, comment: `${MEMO}.${index}`, ...more });
}

async function findTonPeople() {
	const { owner, jetton } = await buildTonScene(sandbox.control);
	const { people } = (await sandbox.control('GET', '/ton/chain')) as {
		people: { giver: { v3r2: string } };
	};
	return { owner, jetton, giver: people.giver.v3r2 };
}

async function createTonCoins(): Promise<Kind> {
	const { owner, giver } = await findTonPeople();
	return {
		pay: async () => await payOnTon(owner, ['2.5', '2.5', '0.9']),
		trigger: new TonTrigger(),
		watchIn: { addresses: owner, direction: 'in' },
		watchOut: { addresses: giver, direction: 'out' },
		hasMinField: true,
		payments: 3,
	};
}

async function createTonJettons(): Promise<Kind> {
	const { owner, giver, jetton } = await findTonPeople();
	const watch = (addresses: string, direction: string) => ({
		event: 'jettonPayment',
		jettons: jetton,
		addresses,
		direction,
	});
	return {
		pay: async () => await payOnTon(owner, ['2500000', '2500000', '900000'], { jetton }),
		trigger: new TonTrigger(),
		watchIn: watch(owner, 'in'),
		watchOut: watch(giver, 'out'),
		list: {
			node: new Ton(),
			parameters: {
				resource: 'jetton',
				operation: 'getTransfers',
				owner: giver,
				jettons: jetton,
				returnAll: true,
			},
		},
		payments: 3,
	};
}

async function createStarkTokens(): Promise<Kind> {
	const { accounts, contracts } = await readStarkInfo(sandbox.control);
	const [payer = '', payee = ''] = accounts.map(({ address }) => address);
	const tokens = contracts.newToken?.address ?? '';
	const move = (units: number) => ({
		to: tokens,
		function: 'transfer',
		calldata: [payee, `0x${units.toString(16)}`, '0x0'],
	});
	const watch = (account: string, direction: string) => ({
		event: 'tokenTransfer',
		tokens,
		accounts: account,
		direction,
	});
	return {
		pay: async () => {
			await sendStarkCalls(sandbox.control, move(2_500_000), move(2_500_000));
			await sendStarkCalls(sandbox.control, move(2_500_000), move(900_000));
		},
		trigger: new StarkTrigger(),
		watchIn: watch(payee, 'to'),
		watchOut: watch(payer, 'from'),
		list: {
			node: new Stark(),
			parameters: {
				resource: 'token',
				operation: 'getTransfers',
				tokens,
				fromBlock: '0',
				returnAll: true,
			},
		},
		payments: 4,
	};
}

const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
	'tokens of an EVM chain': createEvmTokens,
	'coins of an EVM chain': createEvmCoins,
	'coins of a witness chain': createWitnessCoins,
	'tokens of a witness chain': createWitnessTokens,
	'coins of a TON chain': createTonCoins,
	'jettons of a TON chain': createTonJettons,
	'tokens of a STARK rollup': createStarkTokens,
};

/** Stops the automatic blocks of the TRON chain, so that each test makes its own blocks. */
beforeEach(async () => void (await sandbox.control('PUT', '/wallet', { blockTime: 3_600_000 })));

const isText = (given: unknown) => typeof given === 'string' && given !== '';
const isTextOrNull = (given: unknown) => given === null || typeof given === 'string';

/** The columns of a table of payments, in their order. The values of a column have the same type on all chains. */
const COLUMNS: Readonly<Record<string, (given: unknown) => boolean>> = {
	amount: (given) => /^\d+(\.\d+)?$/.test(given as string),
	symbol: isTextOrNull,
	from: isTextOrNull,
	to: isText,
	comment: isTextOrNull,
	timestamp: (given) => given === null || new Date(given as string).toISOString() === given,
	chain: (given) => ['evm', 'witness', 'ton', 'stark'].includes(given as string),
	transactionHash: isText,
	token: isTextOrNull,
	decimals: (given) => Number.isInteger(given),
	value: (given) => /^\d+$/.test(given as string),
	key: isText,
};
const NAMES = Object.keys(COLUMNS);

function checkShape(item: IDataObject): void {
	expect(Object.keys(item).slice(0, NAMES.length)).toEqual(NAMES);
	const wrong = NAMES.filter((name) => !COLUMNS[name]!(item[name]));
	expect(wrong.map((name) => [name, item[name]])).toEqual([]);
}

const keysOf = (items: readonly IDataObject[]) => items.map(({ key }) => key as string).toSorted();

describe.each(Object.entries(KINDS))('%s', (_, create) => {
	test('have one shape and one key, in and out, by a trigger, an operation, and after a restart', async () => {
		const kind = await create();
		const [incoming, outgoing] = [
			await begin(kind.trigger, kind.watchIn),
			await begin(kind.trigger, kind.watchOut),
		];
		const atFirst = incoming.saved();
		await kind.pay();
		const received = await poll(incoming);
		const sent = await poll(outgoing);
		expect(received).toHaveLength(kind.payments);
		for (const item of [...received, ...sent]) checkShape(item);

		const keys = keysOf(received);
		expect(new Set(keys).size).toBe(kind.payments);
		expect(keysOf(sent)).toEqual(keys);
		const restarted = createPollingWorkflow(
			{
				node: kind.trigger,
				parameters: kind.watchIn,
				credentials: sandbox.credentials.token,
			},
			{ saved: atFirst },
		);
		expect(keysOf((await restarted.activate()).items)).toEqual(keys);
		if (!kind.list) return;
		const listed = await run(kind.list.node, kind.list.parameters);
		for (const item of listed) checkShape(item);
		expect(keysOf(listed)).toEqual(expect.arrayContaining(keys));
		expect(new Set(keysOf(listed)).size).toBe(listed.length);
	});

	test('are left out below Min Amount, in whole coins or tokens', async () => {
		const kind = await create();
		const least = kind.hasMinField ? { minAmount: '1' } : { options: { minAmount: '1' } };
		const trigger = await begin(kind.trigger, { ...kind.watchIn, ...least });
		await kind.pay();
		expect(await poll(trigger)).toHaveLength(kind.payments - 1);
		if (!kind.list) return;
		const { node, parameters } = kind.list;
		const listed = await run(node, { ...parameters, options: { minAmount: '1' } });
		expect(listed.length).toBeGreaterThanOrEqual(kind.payments - 1);
		expect(listed.filter(({ amount }) => Number(amount) < 1)).toEqual([]);
	});
});

test('keys on a STARK rollup are the same in every version of a node, page by page, and after a reorganization', async () => {
	const kind = await createStarkTokens();
	await kind.pay();
	const { node, parameters } = kind.list!;
	const read = async (more: INodeParameters = {}) =>
		keysOf(await run(node, { ...parameters, ...more }));
	const keys = await read();
	expect(new Set(keys).size).toBe(kind.payments);
	const { accounts } = kind.watchIn;
	for (const version of ['0.7', '0.8', '0.9', '0.10']) {
		await sandbox.control('PUT', '/stark', { version, events: { maxChunk: 1 } });
		expect([version, await read()]).toEqual([version, keys]);
		expect([version, await read({ accounts })]).toEqual([version, keys]);
	}
	await sandbox.control('POST', '/stark/reorg', { depth: 2, keep: true });
	expect(await read()).toEqual(keys);
});

test('all go into one table, each once, and one condition finds what is paid', async () => {
	const table = new Map<string, IDataObject>();
	let payments = 0;
	for (const create of Object.values(KINDS)) {
		const kind = await create();
		const [incoming, outgoing] = [
			await begin(kind.trigger, kind.watchIn),
			await begin(kind.trigger, kind.watchOut),
		];
		await kind.pay();
		for (const item of [...(await poll(incoming)), ...(await poll(outgoing))])
			table.set(`${item.chain as string} ${item.key as string}`, item);
		payments += kind.payments;
	}
	expect(table.size).toBe(payments);
	const rows = [...table.values()];
	const paid = rows.filter(({ amount }) => Number(amount) >= 2.5);
	expect(paid).toHaveLength(payments - Object.keys(KINDS).length);
	expect(new Set(rows.map(({ chain }) => chain))).toEqual(
		new Set(['evm', 'witness', 'ton', 'stark']),
	);
	const commented = rows.filter(({ comment }) => comment === `${MEMO}.1`);
	expect(commented.map(({ chain, symbol }) => [chain, symbol])).toEqual([
		['witness', 'TRX'],
		['ton', 'TON'],
		['ton', 'SBD'],
	]);
});
