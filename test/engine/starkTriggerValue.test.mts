import type { INodeParameters } from 'n8n-workflow';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createStarkChain, padFelt } from '../harness/starkChain.mts';

const { sandbox, accountOf, addBlocks, contractOf, control, send, set } = createStarkChain();
beforeEach(async () => void (await addBlocks(2)));

const workflow = (parameters: INodeParameters, saved?: string) =>
	createPollingWorkflow(
		{
			node: new StarkTrigger(),
			parameters: { event: 'value', options: { maxRetries: 0 }, ...parameters },
			credentials: sandbox.credentials.token,
		},
		{ saved },
	);

const pay = async (to: string, amount: number) =>
	await send(contractOf('newToken'), 'transfer', to, `0x${amount.toString(16)}`, '0x0');

const ofToken = (more: INodeParameters = {}) => ({
	measure: 'tokenBalance',
	address: accountOf(1),
	token: contractOf('newToken'),
	...more,
});

/** Activates a workflow whose value is already beyond the threshold, and returns the item of its first poll. */
async function readFirst(parameters: INodeParameters) {
	const { items, error } = await workflow(parameters).activate();
	expect(error).toBeUndefined();
	return items[0];
}

test.each(['0.7', '0.8', '0.9', '0.10'])(
	'coins are STRK, with the block and its time, in version %s',
	async (version) => {
		await set({ version });
		const item = await readFirst({
			address: accountOf(0),
			compare: 'risesAbove',
			threshold: '0',
		});
		expect(item).toMatchObject({
			summary: expect.stringMatching(
				/^The balance of 0x[0-9a-f]{64} is [\d.]+ STRK, above 0 STRK$/,
			) as string,
			unit: 'STRK',
			previous: null,
			previousBlockNumber: null,
		});
		expect(item?.blockNumber).toEqual(expect.any(Number));
		expect(Date.parse(String(item?.timestamp))).not.toBeNaN();
	},
);

test('tokens change by an amount, and start with each such change', async () => {
	const life = workflow(ofToken({ compare: 'changesBy', threshold: '0' }));
	expect(await life.activate()).toEqual({ items: [], error: undefined });
	await pay(accountOf(1), 7);
	const { items } = await life.poll();
	expect(items).toHaveLength(1);
	expect(items[0]?.unit).toEqual(expect.any(String));
	await addBlocks(1);
	expect((await life.poll()).items).toEqual([]);
	await pay(accountOf(1), 1);
	const [next] = (await life.poll()).items;
	expect(next?.previous).toBe(items[0]?.value);
	expect(next?.previousBlockNumber).toBe(items[0]?.blockNumber);
});

test('results of functions: integers alone', async () => {
	const call = {
		measure: 'functionResult',
		contract: contractOf('newToken'),
		threshold: '-1',
		compare: 'risesAbove',
	};
	const supply = await readFirst({ ...call, function: 'total_supply' });
	expect(supply).toMatchObject({
		unit: null,
		summary: expect.stringContaining(
			`total_supply of ${padFelt(contractOf('newToken'))} is `,
		) as string,
	});
	expect(supply?.value).toMatch(/^\d+$/);
	const own = { function: 'balance_of', arguments: JSON.stringify([accountOf(0)]) };
	expect((await readFirst({ ...call, ...own }))?.value).toMatch(/^\d+$/);
	for (const [name, words] of [
		['nothing', /must be a function of the contract/],
		['name', /and only an integer can be compared/],
	] as const) {
		await expect(workflow({ ...call, function: name }).activate()).rejects.toThrow(words);
	}
});

test('a block that was replaced is read anew, and an old head is no reading', async () => {
	const life = workflow(ofToken({ compare: 'risesAbove', threshold: '0' }));
	await life.activate();
	await pay(accountOf(1), 5);
	await life.poll();
	const before = life.inMemory();
	await control('reorg', { depth: 1, keep: false });
	const { error } = await life.poll();
	expect(error).toBeUndefined();
	expect(life.inMemory() === before).toBe(false);
});

test('off and on, it goes on where it stopped', async () => {
	const parameters = ofToken({ compare: 'risesAbove', threshold: '0' });
	await pay(accountOf(1), 5);
	const first = workflow(parameters);
	expect((await first.activate()).items).toHaveLength(1);
	const second = workflow({ ...parameters, address: padFelt(accountOf(1)) }, first.inMemory());
	expect((await second.activate()).items).toEqual([]);
});
