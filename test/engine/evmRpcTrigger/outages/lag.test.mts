import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { AMPLE, hurry } from '../support/hurry.mts';
import { moment, numbersOf, scene, waitUntil, upTo } from '../support/scene.mts';

const { sandbox, on, active, height, mine, listening } = scene();

const COUNT = 30;

const PAYEE = `0x${'a1'.padStart(40, '0')}`;

let coin: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (coin = await deployContract(sandbox(), 'Coin', { file: 'Tokens' })));

/** The same transfers as logs and as transfers. */
const asLogs = () =>
	on({
		event: 'log',
		addresses: coin.address,
		eventSignature: 'Transfer(address indexed from, address indexed to, uint256 value)',
	});
const asTransfers = () => on({ event: 'tokenTransfer', tokens: coin.address, accounts: PAYEE });

const valuesOf = (items: readonly IDataObject[]) =>
	items.map(({ value, args }) => Number(value ?? (args as IDataObject).value));
const all = upTo(COUNT, COUNT);

const behind = async (settings: object) => await sandbox().control('PUT', '/lag', settings);

const requests = async () =>
	((await sandbox().control('GET', '/record/count?room=node')) as { requests: number }).requests;

/** Sends a transfer of this value in a block of its own, which a trigger has begun to read. */
async function pay(value: number): Promise<void> {
	const before = await requests();
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), value);
	await sandbox().mined({ from: coin.owner, to: coin.address, data });
	await waitUntil(async () => (await requests()) > before);
}

beforeEach(() => hurry({ idleMs: AMPLE, gatheringMs: 0 }));

/** Sends this many transfers, with empty blocks in between; at the end enough blocks for the slowest index. */
async function payAll(): Promise<void> {
	for (const value of all) {
		await pay(value);
		if (value % 7 === 0) await mine(2);
	}
	await mine(4);
}

describe.each([1, 2, 3])('%i blocks behind the head', (blocks) => {
	describe.each([
		['all', 1],
		['half', 0.5],
	])('in %s of the calls', (_share, share) => {
		test(`the index: all of ${COUNT} transfers and their logs come, once and in order`, async () => {
			const triggers = [await active(asLogs()), await active(asTransfers())];
			await behind({ logs: { blocks, share } });
			await payAll();
			for (const trigger of triggers) {
				expect(valuesOf(await trigger.has(COUNT))).toEqual(all);
				expect(trigger.failures).toEqual([]);
			}
		});

		test(`whole nodes: all of ${COUNT} transfers, logs and blocks come, once and in order`, async () => {
			const triggers = [await active(asLogs()), await active(asTransfers())];
			const blocksToo = await active(on());
			const before = await height();
			await behind({ backends: { blocks, share } });
			await payAll();
			for (const trigger of triggers) expect(valuesOf(await trigger.has(COUNT))).toEqual(all);
			// Nodes that are behind never show the last blocks.
			const shown = (await height()) - before - (share < 1 ? 0 : blocks);
			await blocksToo.has(shown);
			expect(numbersOf(blocksToo.items()).slice(0, shown)).toEqual(upTo(before + shown, shown));
			expect([...triggers, blocksToo].flatMap(({ failures }) => failures)).toEqual([]);
		});
	});

	test.each([
		['on a chain without blooms', { blooms: false }],
		['with a node that has no receipts', { receipts: false }],
		['with neither blooms nor receipts', { blooms: false, receipts: false }],
	])(`the index, %s: all of ${COUNT} logs come, once and in order`, async (_what, lack) => {
		await behind({ logs: { blocks }, ...lack });
		const trigger = await active(asLogs());
		await payAll();
		expect(valuesOf(await trigger.has(COUNT))).toEqual(all);
		expect(trigger.failures).toEqual([]);
	});
});

test.each([
	['the index', { logs: { blocks: 2, share: 0.5 } }],
	['whole nodes', { backends: { blocks: 2, share: 0.5 } }],
])('%s behind the head: all NFTs come, once and in order', async (_what, settings) => {
	const editions = await deployContract(sandbox(), 'Editions', { file: 'Nfts' });
	const { owner, address: contracts } = editions;
	const trigger = await active(on({ event: 'nftTransfer', contracts, accounts: PAYEE }));
	await behind(settings);
	for (const quantity of all) {
		const before = await requests();
		const data = editions.data('mint(address,uint256,uint256)', BigInt(PAYEE), 7, quantity);
		await sandbox().mined({ from: owner, to: contracts, data });
		await waitUntil(async () => (await requests()) > before);
	}
	await mine(4);
	const items = await trigger.has(COUNT);
	expect(items.map(({ quantity }) => Number(quantity))).toEqual(all);
	expect(trigger.failures).toEqual([]);
});

const QUIET = { event: 'log', topics: 'Noted(address,uint256,uint256)' };

/** Counts the calls of a trigger for each block that has none of its logs. */
async function callsPerBlock(settings: object): Promise<number> {
	await sandbox().reset();
	await behind(settings);
	const trigger = await active(on(QUIET));
	await listening();
	const before = await requests();
	for (const value of upTo(10, 10)) {
		await pay(value);
		await moment(60);
	}
	await trigger.close();
	expect(trigger.items()).toEqual([]);
	return ((await requests()) - before) / 10;
}

test('a quiet block costs one request where its bloom says that it is quiet', async () => {
	const withBloom = await callsPerBlock({});
	const withoutBloom = await callsPerBlock({ blooms: false });
	process.stdout.write(
		`Requests for a quiet block: ${withBloom} with its bloom, ${withoutBloom} without\n`,
	);
	expect(withBloom).toBe(1);
	expect(withoutBloom).toBeLessThanOrEqual(3);
});
