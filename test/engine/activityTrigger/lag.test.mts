import type { IDataObject } from 'n8n-workflow';
import type { Polled } from '../../harness/poll.mts';
import { payments, startWorld, type World } from './world.mts';

let world: World;

beforeAll(async () => {
	world = await startWorld();
	await world.mine(20);
});
afterAll(async () => await world.sandbox.stop());
beforeEach(async () => await world.sandbox.reset());

const COUNT = 60;
const values = Array.from({ length: COUNT }, (_, index) => index + 1);

const behind = async (settings: object) => await world.sandbox.control('PUT', '/lag', settings);

/** Polls again and again while so many payments are made, and until nothing is late any more. */
async function pollWhile(workflow: {
	poll: () => Promise<Polled>;
}): Promise<readonly IDataObject[]> {
	const polls: Polled[] = [];
	for (const value of values) {
		await world.pay(1, 2, value);
		if (value % 7 === 0) await world.mine(2);
		if (value % 3 === 0) polls.push(await workflow.poll());
	}
	await world.mine(4);
	for (let count = 0; count < 8; count++) polls.push(await workflow.poll());
	expect(polls.flatMap(({ error }) => (error ? [error.message] : []))).toEqual([]);
	return polls.flatMap(({ items }) => items);
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
				const items = await pollWhile(workflow);
				expect(payments(items)).toEqual(values.map((value) => `+${value}`));
			},
		);

		test(`whole nodes: all of ${COUNT} payments come, once and in order`, async () => {
			const workflow = await world.active({
				event: 'addressActivity',
				addresses: world.account(1),
			});
			await behind({ backends: { blocks, share } });
			const items = await pollWhile(workflow);
			expect(payments(items)).toEqual(values.map((value) => `+${value}`));
		});

		test('whole nodes: every block comes, once and in order', async () => {
			const workflow = await world.active({ event: 'newBlock' });
			const first = (await world.height()) + 1;
			await behind({ backends: { blocks, share } });
			const items = await pollWhile(workflow);
			const shown = (await world.height()) - (share < 1 ? 0 : blocks);
			const numbers = items.map(({ number }) => Number(number));
			expect(numbers).toEqual(numbers.map((_, index) => first + index));
			expect(numbers.at(-1)).toBeGreaterThanOrEqual(shown - 3);
		});
	});
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
	// Code that sends what it is given to an account, and becomes empty code.
	const send = `0x600060006000600034${'73'}${account(5).slice(2)}5af160006000f3`;
	await sandbox.mined({ from: owner, data: send, value: '0x9', gas: '0x30d40' });
	const early = await workflow.poll();
	await mine(2);
	const late = [await workflow.poll(), await workflow.poll()];
	expect(payments(early.items)).toEqual([]);
	expect(payments(late.flatMap(({ items }) => items))).toEqual(['+9']);
});
