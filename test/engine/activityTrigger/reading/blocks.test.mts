import { createWorld } from '../support/world.mts';

const world = createWorld();

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
