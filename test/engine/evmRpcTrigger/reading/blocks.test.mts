import type { IDataObject } from 'n8n-workflow';
import { numberToHex, scene } from '../support/scene.mts';

const { sandbox, on, active, height, mine, drop, set } = scene();

/** The fields that a whole block has, but a header does not. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

async function headerOf(number: unknown): Promise<IDataObject> {
	const block = await sandbox.chain('eth_getBlockByNumber', number, false);
	const entries = Object.entries(block as IDataObject).filter(([key]) => !BODY.includes(key));
	return Object.fromEntries(entries) as IDataObject;
}

/** Makes a transaction, so that the block differs from the block that later replaces it. */
async function pay(): Promise<void> {
	const [from, to] = (await sandbox.chain('eth_accounts')) as string[];
	await sandbox.mined({ from, to, value: '0x1' });
}

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
