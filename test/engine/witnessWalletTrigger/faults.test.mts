import { transfer } from '../../harness/witnessChain.mts';
import { base58, requireItems, startWatch, type Watch } from './support/watch.mts';

let watch: Watch;
beforeEach(async () => {
	watch = await startWatch();
});
afterEach(async () => await watch.server.stop());

const watching = { addresses: base58('shop') };
type Json = Record<string, unknown>;

/** Makes two payments with 40 blocks in between. The fault of the test is in the block of the second payment. */
async function begin() {
	const { active, chain, settle } = watch;
	const workflow = await active(watching);
	chain.mine(transfer('buyer', 'shop', 1));
	chain.mineEmpty(40);
	chain.mine(transfer('buyer', 'shop', 2));
	const number = chain.head;
	chain.mine();
	settle();
	return { workflow, chain, number };
}

const amounts = (items: readonly Json[]) => items.map(({ amount }) => amount);
const isBlockOf = (json: unknown, number: number) =>
	(json as { block_header?: { raw_data?: { number?: number } } }).block_header?.raw_data?.number ===
	number;

/** Changes a block in an answer, which may be a single block or a list. */
function changeBlock(number: number, change: (block: Json) => Json) {
	const one = (json: unknown) => (isBlockOf(json, number) ? change(json as Json) : json);
	return (answer: unknown) => {
		const { block } = answer as { block?: unknown[] };
		return block ? { block: block.map(one) } : one(answer);
	};
}

const withHeader = (more: Json) => (block: Json) => ({
	...block,
	block_header: {
		raw_data: { ...(block.block_header as { raw_data: Json }).raw_data, ...more },
	},
});

test.each<[string, (number: number) => typeof watch.chain.change, RegExp]>([
	[
		'a block of another branch',
		(number) => changeBlock(number, withHeader({ parentHash: 'ab'.repeat(32) })),
		/Block \d+ of the chain node does not follow block \d+/,
	],
	[
		'an error with status 200',
		(number) => (answer, method, body) =>
			method === 'gettransactioninfobyblocknum' && body.num === number
				? { Error: 'class org.tron.core.exception.BadItemException : out of order' }
				: answer,
		/out of order/,
	],
])('%s is refused in words; nothing is lost and nothing comes twice', async (_, build, words) => {
	const { workflow, chain, number } = await begin();
	chain.change = build(number);
	expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000001']);
	const { items, error } = await workflow.poll();
	expect(items).toEqual([]);
	expect(error?.message).toMatch(words);
	chain.change = (answer) => answer;
	expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000002']);
	expect(requireItems(await workflow.poll())).toEqual([]);
});

test('a block without receipts waits, and after five minutes a poll says so', async () => {
	const { workflow, chain, number } = await begin();
	chain.change = (answer, method, body) =>
		method === 'gettransactioninfobyblocknum' && body.num === number ? [] : answer;
	expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000001']);
	expect(requireItems(await workflow.poll())).toEqual([]);
	chain.mineEmpty(100);
	expect((await workflow.poll()).error?.message).toContain(
		`The chain node does not have block ${number} with the receipts of all its transactions yet`,
	);
	chain.change = (answer) => answer;
	expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000002']);
});

describe('the view of what is irreversible', () => {
	test('that is an hour behind is reported, and its payments are not lost', async () => {
		const { workflow, chain } = await begin();
		chain.lag = 1200;
		chain.mineEmpty(1200 - 19);
		expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000001', '0.000002']);
		expect((await workflow.poll()).error?.message).toMatch(/60 minutes behind its latest block/);
		chain.lag = 19;
		expect(requireItems(await workflow.poll())).toEqual([]);
	});

	test('that is an hour behind is no begin', async () => {
		const { chain, workflow } = watch;
		chain.mineEmpty(1300);
		chain.lag = 1200;
		await expect(workflow(watching).activate()).rejects.toThrow(
			/60 minutes behind its latest block/,
		);
	});

	test('that goes back gives nothing twice', async () => {
		const { workflow, chain } = await begin();
		requireItems(await workflow.poll());
		chain.missing = () => 30;
		expect(requireItems(await workflow.poll())).toEqual([]);
		chain.missing = () => 0;
		expect(requireItems(await workflow.poll())).toEqual([]);
	});

	test('that has gone back far is reported, and gives nothing twice', async () => {
		const { workflow, chain } = await begin();
		chain.mineEmpty(150);
		requireItems(await workflow.poll());
		chain.missing = () => 130;
		const { items, error } = await workflow.poll();
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The chain node lacks 130 blocks that it had before/);
		chain.missing = () => 0;
		expect(requireItems(await workflow.poll())).toEqual([]);
	});

	test('that holds nothing yet is waited for', async () => {
		const { chain, active, manually } = watch;
		chain.missing = () => 22;
		chain.unserved.add('walletsolidity/getnowblock');
		const workflow = await active(watching);
		expect((await manually(watching)).error?.message).toBe(
			'No block of the chain is irreversible yet',
		);
		chain.missing = () => 0;
		expect(requireItems(await workflow.poll())).toEqual([]);
		chain.mine(transfer('buyer', 'shop', 1));
		chain.mineEmpty(19);
		expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000001']);
	});
});

test('a poll reads no more blocks than it may once something is found', async () => {
	const { active, chain, settle } = watch;
	const workflow = await active({ ...watching, options: { maxBlocksPerPoll: 3 } });
	chain.mineEmpty(30);
	for (let amount = 1; amount <= 5; amount++) chain.mine(transfer('buyer', 'shop', amount));
	settle();
	expect(amounts(requireItems(await workflow.poll()))).toEqual([
		'0.000001',
		'0.000002',
		'0.000003',
	]);
	expect(amounts(requireItems(await workflow.poll()))).toEqual(['0.000004', '0.000005']);
});

test('a poll ends when its time is over, and the next one goes on', async () => {
	const { chain, settle, workflow } = watch;
	const hurried = workflow(watching, { budget: 0 });
	await hurried.activate();
	chain.mine(transfer('buyer', 'shop', 1));
	chain.mine(transfer('buyer', 'shop', 2));
	settle();
	const found: unknown[][] = [];
	for (let left = chain.lag + 2; left > 0; left--)
		found.push(amounts(requireItems(await hurried.poll())));
	expect(found.filter(({ length }) => length > 0)).toEqual([['0.000001'], ['0.000002']]);
});

test('a refused credential is no outage', async () => {
	const { chain, workflow } = watch;
	chain.change = () => ({ Error: 'class org.example.Refused : the plan has no such API' });
	await expect(workflow(watching).activate()).rejects.toThrow(/the plan has no such API/);
});
