import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { deposit, watchingKey } from '../../harness/accountKey.mts';
import { deployContract } from '../../harness/contract.mts';
import { AMPLE, shortenTimes } from '../evmRpcTrigger/support/shortTimes.mts';
import { numbersOf, upTo } from '../evmRpcTrigger/support/scene.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { DRIVERS } from './support/driver.mts';

const chain = createSandboxChain();

type Contract = Awaited<ReturnType<typeof deployContract>>;

let coin: Contract;
let editions: Contract;

beforeAll(async () => {
	coin = await deployContract(chain.sandbox, 'Coin', { file: 'Tokens' });
	editions = await deployContract(chain.sandbox, 'Editions', { file: 'Nfts' });
	await chain.mine(20);
});

const COUNT = 20;
const PAYEE = deposit(4);

async function pay(value: number): Promise<string> {
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), value);
	const { transactionHash } = await chain.sandbox.mined({
		from: coin.owner,
		to: coin.address,
		data,
	});
	return transactionHash;
}

async function mint(quantity: number): Promise<string> {
	const data = editions.data('mint(address,uint256,uint256)', BigInt(PAYEE), 7, quantity);
	const from = chain.account(1);
	return (await chain.sandbox.mined({ from, to: editions.address, data })).transactionHash;
}

/** The events by which each kind of trigger watches the payments, with their parameters. */
const watchPayments: Readonly<Record<string, () => readonly INodeParameters[]>> = {
	'a socket': () => [
		{ event: 'tokenTransfer', tokens: coin.address, accounts: PAYEE },
		{ event: 'log', addresses: coin.address },
	],
	polls: () => [
		{ event: 'tokenTransfer', tokens: coin.address, accounts: PAYEE },
		{ event: 'log', addresses: coin.address },
		{ event: 'tokenTransfer', tokens: coin.address, ...watchingKey() },
		{ event: 'tokenTransfer', tokens: coin.address, ...watchingKey(150) },
		{ event: 'addressActivity', addresses: coin.owner, direction: 'from' },
		{ event: 'addressActivity', addresses: coin.address, direction: 'to' },
		{ event: 'addressActivity', addresses: coin.address },
	],
};

const SHARES = [
	['half', 0.5],
	['all', 1],
] as const;

const LACKS: ReadonlyArray<[string, object]> = [
	['with neither blooms nor receipts', { blooms: false, receipts: false }],
	['on a chain without blooms', { blooms: false }],
	['with a node that has no receipts', { receipts: false }],
];

const hashesOf = (items: readonly IDataObject[]) =>
	items.map(({ transactionHash }) => transactionHash);

describe.each(DRIVERS)('by %s', (by, createDriver) => {
	const driver = createDriver();
	const start = async (parameters: INodeParameters) =>
		await driver.start(parameters, chain.sandbox.credentials.token);

	beforeEach(() => shortenTimes({ idleMs: AMPLE, gatheringMs: 0 }));

	/** Pays and mints on a chain with the given lag. All events must come, each once and in order. */
	async function expectAllBehind(lag: object): Promise<void> {
		const payments = await Promise.all((watchPayments[by]?.() ?? []).map(start));
		const mints = await start({ event: 'nftTransfer', contracts: editions.address });
		const blocks = await start({ event: 'newBlock' });
		const triggers = [...payments, mints, blocks];
		const first = (await chain.height()) + 1;
		await chain.setLag(lag);
		const paid: string[] = [];
		const minted: string[] = [];
		for (const value of upTo(COUNT, COUNT)) {
			paid.push(await pay(value));
			if (value % 5 === 0) minted.push(await mint(value));
			if (value % 7 === 0) await chain.mine(2);
			if (value % 3 === 0) await Promise.all(triggers.map(async ({ read }) => await read()));
		}
		// After four more blocks, even the slowest index contains the payments.
		await chain.mine(4);
		for (const trigger of payments) expect(hashesOf(await trigger.readAll(COUNT))).toEqual(paid);
		expect(hashesOf(await mints.readAll(minted.length))).toEqual(minted);
		// Lagging nodes do not show the last three blocks.
		const shown = (await chain.height()) - first + 1 - 3;
		const numbers = numbersOf(await blocks.readAll(shown));
		expect(numbers.length).toBeGreaterThanOrEqual(shown);
		expect(numbers).toEqual(numbers.map((_, index) => first + index));
		expect(triggers.flatMap(({ failures }) => failures)).toEqual([]);
	}

	describe.each([3, 1])('%i blocks behind the head', (blocks) => {
		test.each(SHARES)(
			'in %s of the calls, indexes of logs and traces lose nothing',
			async (_share, share) => {
				await expectAllBehind({ logs: { blocks, share }, traces: { blocks, share } });
			},
		);

		test.each(SHARES)('in %s of the calls, whole nodes lose nothing', async (_share, share) => {
			await expectAllBehind({ backends: { blocks, share } });
		});
	});

	test.each(LACKS)(
		'two blocks behind the head, %s, an index of logs loses nothing',
		async (_what, lack) => {
			await expectAllBehind({ logs: { blocks: 2 }, ...lack });
		},
	);
});
