import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import type { PollResult } from '../../../harness/poll.mts';
import { payments, createWorld } from '../support/world.mts';

const world = createWorld();
let coin: Awaited<ReturnType<typeof deployContract>>;

beforeAll(async () => {
	coin = await deployContract(world.sandbox, 'Coin', { file: 'Tokens' });
	await world.mine(20);
});

const COUNT = 30;
const values = Array.from({ length: COUNT }, (_, index) => index + 1);

const behind = async (settings: object) => await world.sandbox.control('PUT', '/lag', settings);

const payCoins = async (value: number) => await world.pay(1, 2, value);

async function payTokens(value: number) {
	const data = coin.data('transfer(address,uint256)', BigInt(world.account(2)), value);
	await world.sandbox.mined({ from: coin.owner, to: coin.address, data });
}

interface Polling {
	readonly poll: () => Promise<PollResult>;
}

/** Polls while this many payments are made, and until nothing is late any more. Returns the items of each workflow. */
async function pollWhile(
	pay: (value: number) => Promise<unknown>,
	...workflows: readonly Polling[]
): Promise<readonly IDataObject[][]> {
	const emitted = workflows.map((): IDataObject[] => []);
	const poll = async () => {
		for (const [index, workflow] of workflows.entries()) {
			const { items, error } = await workflow.poll();
			expect(error).toBeUndefined();
			emitted[index]?.push(...items);
		}
	};
	for (const value of values) {
		await pay(value);
		if (value % 7 === 0) await world.mine(2);
		if (value % 3 === 0) await poll();
	}
	await world.mine(4);
	for (let count = 0; count < 8; count++) await poll();
	return emitted;
}

describe.each([1, 2, 3])('%i blocks behind the head', (blocks) => {
	describe.each([
		['all', 1],
		['half', 0.5],
	])('in %s of the calls', (_share, share) => {
		test.each(blocks === 2 ? ['from', 'to', 'any'] : ['any'])(
			`traces: all of ${COUNT} payments %s an address come, once and in order`,
			async (direction) => {
				const addresses = world.account(direction === 'to' ? 2 : 1);
				const workflow = await world.active({ event: 'addressActivity', addresses, direction });
				await behind({ traces: { blocks, share } });
				const [items = []] = await pollWhile(payCoins, workflow);
				expect(payments(items)).toEqual(values.map((value) => `+${value}`));
			},
		);

		test(`the index of logs: all of ${COUNT} transfers come, once and in order`, async () => {
			const workflow = await world.active({
				event: 'tokenTransfer',
				tokens: coin.address,
				accounts: world.account(2),
			});
			await behind({ logs: { blocks, share } });
			const [items = []] = await pollWhile(payTokens, workflow);
			expect(payments(items)).toEqual(values.map((value) => `+${value}`));
		});

		test(`whole nodes: all of ${COUNT} payments and their blocks come, once and in order`, async () => {
			const workflow = await world.active({
				event: 'addressActivity',
				addresses: world.account(1),
			});
			const blocksToo = await world.active({ event: 'newBlock' });
			const first = (await world.height()) + 1;
			await behind({ backends: { blocks, share } });
			const [items = [], all = []] = await pollWhile(payCoins, workflow, blocksToo);
			expect(payments(items)).toEqual(values.map((value) => `+${value}`));
			const shown = (await world.height()) - (share < 1 ? 0 : blocks);
			const numbers = all.map(({ number }) => Number(number));
			expect(numbers).toEqual(numbers.map((_, index) => first + index));
			expect(numbers.at(-1)).toBeGreaterThanOrEqual(shown - 3);
		});
	});
});

test.each([
	['the index of logs', { logs: { blocks: 2, share: 0.5 } }],
	['whole nodes', { backends: { blocks: 2, share: 0.5 } }],
])('%s behind the head: all NFTs come, once and in order', async (_what, settings) => {
	const { sandbox } = world;
	const editions = await deployContract(sandbox, 'Editions', { file: 'Nfts' });
	const mint = async (quantity: number) => {
		const data = editions.data(
			'mint(address,uint256,uint256)',
			BigInt(world.account(2)),
			7,
			quantity,
		);
		await sandbox.mined({ from: editions.owner, to: editions.address, data });
	};
	const parameters = { event: 'nftTransfer', contracts: editions.address };
	const workflow = await world.active({ ...parameters, accounts: world.account(2) });
	await behind(settings);
	const [items = []] = await pollWhile(mint, workflow);
	expect(items.map(({ quantity }) => Number(quantity))).toEqual(values);
});

test('payments from and to contracts that are only being made come, too', async () => {
	const { active, account, mine, sandbox } = world;
	const [owner] = (await sandbox.chain('eth_accounts')) as [string];
	const workflow = await active({
		event: 'addressActivity',
		addresses: account(5),
		direction: 'to',
	});
	await behind({ traces: { blocks: 2 } });
	// The code forwards what it receives to an account, and becomes empty code.
	const send = `0x600060006000600034${'73'}${account(5).slice(2)}5af160006000f3`;
	await sandbox.mined({ from: owner, data: send, value: '0x9', gas: '0x30d40' });
	const early = await workflow.poll();
	await mine(2);
	const late = [await workflow.poll(), await workflow.poll()];
	expect(payments(early.items)).toEqual([]);
	expect(payments(late.flatMap(({ items }) => items))).toEqual(['+9']);
});
