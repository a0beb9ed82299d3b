import type { IDataObject } from 'n8n-workflow';
import { numberToHex, numbersOf, scene, upTo } from '../support/scene.mts';

const { sandbox, on, active, height, mine, drop, set, sockets } = scene();

/** Only a whole block has these fields. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

async function headerOf(number: unknown): Promise<IDataObject> {
	const block = await sandbox().chain('eth_getBlockByNumber', number, false);
	const entries = Object.entries(block as IDataObject).filter(([key]) => !BODY.includes(key));
	return Object.fromEntries(entries) as IDataObject;
}

/** A transaction distinguishes a block from the one that replaces it. */
async function pay(): Promise<void> {
	const [from, to] = (await sandbox().chain('eth_accounts')) as string[];
	await sandbox().mined({ from, to, value: '0x1' });
}

async function reorganize(depth: number): Promise<void> {
	await sandbox().chain('anvil_reorg', depth, []);
}

const marks = (items: readonly IDataObject[]) => items.map(({ reorganized }) => reorganized);

test('come in order, each once, and none from before', async () => {
	await mine(5);
	const trigger = await active();
	const numbers = [...(await mine(3)), ...(await mine(1)), ...(await mine(200))];
	const items = await trigger.has(204);
	expect(numbersOf(items)).toEqual(numbers);
	expect(marks(items)).not.toContain(true);
	expect(trigger.failures).toEqual([]);
	expect(await sockets()).toMatchObject({ open: 1, opened: 1, subscriptions: 1 });
});

test('are simplified', async () => {
	const trigger = await active();
	await pay();
	const [item] = await trigger.has(1);
	const header = await headerOf(numberToHex(await height()));
	expect(item).toEqual({
		number: await height(),
		hash: header.hash,
		parentHash: header.parentHash,
		timestamp: new Date(Number(header.timestamp) * 1000).toISOString(),
		miner: header.miner,
		gasLimit: Number(header.gasLimit),
		gasUsed: 21_000,
		baseFeePerGas: String(BigInt(String(header.baseFeePerGas))),
		reorganized: false,
	});
});

test('are headers as the node gives them, announced or read later', async () => {
	const trigger = await active(on({ simplify: false }));
	await mine(1);
	await trigger.has(1);
	await set({ mute: true });
	await drop('reset');
	await mine(2);
	const items = await trigger.has(3);
	const headers = await Promise.all(items.map(async ({ number }) => await headerOf(number)));
	expect(items).toEqual(headers.map((header) => ({ ...header, reorganized: false })));
	expect(items[0]).toHaveProperty('logsBloom');
});

test.each(['while it listens', 'while it is cut off'])(
	'of a reorganization are marked, %s',
	async (when) => {
		const trigger = await active();
		for (let count = 1; count <= 3; count++) await pay();
		const old = await trigger.has(3);
		const isCut = when === 'while it is cut off';
		if (isCut) await set({ refuse: 503 });
		if (isCut) await drop('close');
		await reorganize(3);
		const top = await height();
		await set({});
		const fresh = (await trigger.has(6)).slice(3);
		expect(numbersOf(fresh)).toEqual(numbersOf(old));
		expect(numbersOf(fresh)).toEqual(upTo(top, 3));
		expect(marks(fresh)).toEqual([true, true, true]);
		const headers = await Promise.all(
			fresh.map(async ({ number }) => await headerOf(numberToHex(Number(number)))),
		);
		expect(fresh.map(({ hash }) => hash)).toEqual(headers.map(({ hash }) => hash));
		const next = await mine(1);
		const [last] = (await trigger.has(7)).slice(6);
		expect(last).toMatchObject({ number: next[0], reorganized: false });
		expect(trigger.items()).toHaveLength(7);
	},
);
