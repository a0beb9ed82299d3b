import { createWorld } from '../support/world.mts';

const world = createWorld();

test('every block comes once, over many polls', async () => {
	const { active, mine, height } = world;
	const workflow = await active({ event: 'newBlock' });
	const start = await height();
	const numbers: unknown[] = [];
	for (const blocks of [1, 0, 5, 120, 0, 2]) {
		if (blocks > 0) await mine(blocks);
		numbers.push(...(await workflow.poll()).items.map(({ number }) => number));
	}
	expect(numbers).toEqual(Array.from({ length: 128 }, (_, index) => start + 1 + index));
});

test('an item is a simple block, or the block as documented', async () => {
	const { active, pay, height, sandbox } = world;
	const simple = await active({ event: 'newBlock' });
	const raw = await active({ event: 'newBlock', simplify: false });
	const transactionHash = await pay(1, 2);
	const number = await height();
	expect((await simple.poll()).items).toMatchObject([
		{ number, transactionCount: 1, transactions: [transactionHash], reorganized: false },
	]);
	const block = await sandbox.chain('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
	expect((await raw.poll()).items).toEqual([{ ...(block as object), reorganized: false }]);
});

test('the blocks of a range travel in one batch', async () => {
	const { active, mine, sandbox } = world;
	const workflow = await active({ event: 'newBlock' });
	await mine(50);
	await sandbox.reset();
	expect((await workflow.poll()).items).toHaveLength(50);
	const sizes = (await sandbox.record()).map(({ calls }) => calls);
	expect(sizes).toEqual([3, 1, 1, 50, 1]);
});

test('both ways of authentication work', async () => {
	const { workflow, mine, sandbox } = world;
	const parameters = { authentication: 'basicAuth', event: 'newBlock' };
	const basic = workflow(parameters, {}, { credentials: sandbox.credentials.basicAuth });
	await basic.activate();
	await mine(1);
	expect((await basic.poll()).items).toHaveLength(1);
	const [seen] = await sandbox.record();
	expect(seen?.headers.authorization).toMatch(/^Basic /);
});
