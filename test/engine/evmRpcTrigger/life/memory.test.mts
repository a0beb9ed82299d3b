import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { buildBlock, type Call, createFakeNode } from '../../../harness/fakeNode.mts';
import { moment, numbersOf, scene } from '../support/scene.mts';

const { sandbox, on, active, mine } = scene();

/** Returns what a life with this many blocks left behind. */
async function leftBehind(tested = on(), blocks = 3): Promise<IDataObject> {
	const trigger = await active(tested);
	await mine(blocks);
	await trigger.has(blocks);
	await trigger.close();
	return trigger.stored();
}

async function nextLife(
	staticData: IDataObject,
	mode: WorkflowActivateMode = 'init',
	tested = on(),
): Promise<ActiveTrigger> {
	return await active(tested, { mode, staticData });
}

/** Expects only blocks that are mined from now on. */
async function beginsAtTheHead(trigger: ActiveTrigger): Promise<void> {
	const numbers = await mine(2);
	await trigger.has(2);
	await moment(30);
	expect(numbersOf(trigger.items())).toEqual(numbers);
	expect(trigger.items().filter(({ reorganized }) => reorganized)).toEqual([]);
	expect(trigger.failures).toEqual([]);
}

/** A transaction distinguishes a block from the one that replaces it. */
async function pay(data?: string) {
	const [from, to] = (await sandbox().chain('eth_accounts')) as string[];
	return await sandbox().mined({ from, ...(data ? { data } : { to, value: '0x1' }) });
}

/** The contract writes an empty log when it is deployed. */
const LOGS_ONCE = '0x60006000a000';

describe.each(['init', 'leadershipChange', 'update'] as const)('at %s', (mode) => {
	test('blocks of the meantime come once, and then the next', async () => {
		const left = await leftBehind();
		const numbers = await mine(150);
		const trigger = await nextLife(left, mode);
		numbers.push(...(await mine(1)));
		expect(numbersOf(await trigger.has(151))).toEqual(numbers);
		expect(trigger.items().filter(({ reorganized }) => reorganized)).toEqual([]);
		const again = await nextLife(trigger.stored(), mode);
		await beginsAtTheHead(again);
	});
});

test.each(['activate', 'create'] as const)('at %s it begins at the head', async (mode) => {
	const left = await leftBehind();
	await mine(3);
	await beginsAtTheHead(await nextLife(left, mode));
});

test('a life that saw nothing is remembered as well', async () => {
	const left = await leftBehind(on(), 0);
	const numbers = await mine(2);
	const trigger = await nextLife(left);
	expect(numbersOf(await trigger.has(2))).toEqual(numbers);
});

test('what is kept is small', async () => {
	const left = await leftBehind(on({ simplify: false }), 300);
	const { saved, starts } = left['node:Tested'] as Record<string, IDataObject>;
	expect(JSON.stringify(saved).length).toBeLessThan(10_000);
	// The items are those of the last execution.
	expect((starts?.underWay as unknown[]).length).toBe(1);
});

describe('a reorganization while n8n was down', () => {
	const filter = () => on({ event: 'log' });

	test('brings the replaced blocks', async () => {
		const trigger = await active();
		for (let count = 0; count < 3; count++) await pay();
		const old = await trigger.has(3);
		await trigger.close();
		await sandbox().chain('anvil_reorg', 2, []);
		const next = await nextLife(trigger.stored());
		const items = await next.has(2);
		expect(numbersOf(items)).toEqual(numbersOf(old).slice(1));
		expect(items.map(({ reorganized }) => reorganized)).toEqual([true, true]);
		const [number] = await mine(1);
		expect((await next.has(3))[2]).toMatchObject({ number, reorganized: false });
	});

	test('takes logs back', async () => {
		const trigger = await active(filter());
		for (let count = 0; count < 3; count++) await pay(LOGS_ONCE);
		const old = await trigger.has(3);
		await trigger.close();
		await sandbox().chain('anvil_reorg', 2, []);
		const next = await nextLife(trigger.stored(), 'init', filter());
		const { contractAddress } = await pay(LOGS_ONCE);
		const items = await next.has(3);
		const back = old.slice(1).reverse();
		expect(items.slice(0, 2)).toEqual(back.map((log) => ({ ...log, removed: true })));
		expect(items[2]).toMatchObject({ address: contractAddress?.toLowerCase(), removed: false });
	});
});

describe('another chain', () => {
	const node = createFakeNode();

	const onNode = () => on({}, node.credentials);

	/** Makes the node that of another chain, which differs from its first block on and is shorter. */
	function begunAnew(): void {
		node.height = 5;
		const other = ({ params: [block] }: Call) =>
			buildBlock(block === 'latest' ? node.height : Number(block), 0);
		node.setAnswers({ eth_getBlockByNumber: other });
	}

	async function leftAt(number: number): Promise<IDataObject> {
		node.height = number - 1;
		const trigger = await active(onNode());
		node.mine();
		await trigger.has(1);
		await trigger.close();
		return trigger.stored();
	}

	test.each<[string, number, () => void]>([
		['of another id', 1_000, () => node.setAnswers({ eth_chainId: () => '0x2' })],
		['that was begun anew', 5_000, begunAnew],
	])('%s begins at its head', async (_what, number, change) => {
		const left = await leftAt(number);
		change();
		const trigger = await nextLife(left, 'init', onNode());
		const next = node.height + 1;
		node.mine();
		expect(numbersOf(await trigger.has(1))).toEqual([next]);
		expect(trigger.failures).toEqual([]);
	});

	test('is not taken for one because of an answer that is none', async () => {
		const left = await leftAt(20);
		node.height = 22;
		const answers = [null, {}, 'mainnet', ''];
		node.setAnswers({ eth_chainId: () => (answers.length > 0 ? answers.pop() : '0x1') });
		const trigger = await nextLife(left, 'init', onNode());
		expect(numbersOf(await trigger.has(2))).toEqual([21, 22]);
		expect(answers).toEqual([]);
	});
});

describe('what was kept', () => {
	type Kept = Record<'chain' | 'cursor', IDataObject>;
	type Change = (kept: Kept) => unknown;

	/** Restarts the trigger with its state of three blocks ago, in which one thing is changed. */
	async function changed(change: Change): Promise<ActiveTrigger> {
		const left = await leftBehind();
		const data = left['node:Tested'] as { saved: IDataObject };
		data.saved = change(data.saved as Kept) as IDataObject;
		await mine(3);
		return await nextLife(left);
	}

	const cursor =
		(change: IDataObject): Change =>
		(kept) => ({ ...kept, cursor: { ...kept.cursor, ...change } });
	const latest =
		(change: unknown): Change =>
		(kept) => {
			const blocks = kept.cursor.checkpoints as IDataObject[];
			const last = change && typeof change === 'object' ? { ...blocks.at(-1), ...change } : change;
			return cursor({ checkpoints: [...blocks.slice(0, -1), last] as IDataObject[] })(kept);
		};

	test.each<[string, Change]>([
		['as it is', (kept) => kept],
		['with a block that holds what was emitted of it', latest({ emitted: [{}] })],
		['without what it knew of proofs', cursor({ proofs: null })],
	])('is gone on from, %s', async (_what, change) => {
		const trigger = await changed(change);
		expect(await trigger.has(3)).toHaveLength(3);
	});

	test.each<[string, Change]>([
		['a text', () => 'x'],
		['empty', () => ({})],
		['of no chain', (kept) => ({ ...kept, chain: null })],
		['of no choice', (kept) => ({ ...kept, watched: 1 })],
		['without a cursor', (kept) => ({ ...kept, cursor: null })],
		['with a text of blocks', cursor({ checkpoints: 'many' })],
		['without its blocks', cursor({ checkpoints: [] })],
		['with null for a block', latest(null)],
		['with the number of a block in hex', latest({ number: '0x1' })],
		['with a hash that is a number', latest({ hash: 1 })],
		['with a text of what was emitted', latest({ emitted: 'x' })],
		['with numbers that were emitted', latest({ emitted: [1] })],
		['with a next block far off', cursor({ next: 1e15 })],
		['with a highest block in text', cursor({ highest: '1' })],
		['with a negative highest block', cursor({ highest: -1 })],
		['with a floor that is an object', cursor({ floor: {} })],
	])('is forgotten when it is %s', async (_what, change) => {
		await beginsAtTheHead(await changed(change));
	});
});
