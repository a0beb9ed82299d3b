import { createWorld } from '../support/world.mts';

const world = createWorld();

test('it shows the latest block that is old enough', async () => {
	const { manually, mine, height } = world;
	await mine(5);
	const { items } = await manually({ event: 'newBlock', options: { confirmations: 2 } });
	expect(items.map(({ json }) => json)).toMatchObject([
		{ number: (await height()) - 2, reorganized: false },
	]);
});

test('it shows the latest activity, further back than a range', async () => {
	const { manually, account, pay, mine } = world;
	await pay(6, 7, 1);
	await pay(6, 7, 2);
	await mine(150);
	const { items } = await manually({ event: 'addressActivity', addresses: account(6) });
	expect(items.map(({ json }) => json)).toMatchObject([{ value: '2', removed: false }]);
});

test('without any activity it says so', async () => {
	const { manually, account, sandbox } = world;
	await sandbox.reset();
	const { error } = await manually({
		event: 'addressActivity',
		addresses: account(8),
		options: { maxBlocksPerPoll: 120 },
	});
	expect(error?.message).toBe('No activity of these addresses in the last 120 blocks');
	expect(error?.description).toMatch(/Max Blocks Per Poll/);
});

test.each([
	['tokenTransfer', 'a token', 'Tokens, Accounts and Direction'],
	['nftTransfer', 'an NFT', 'NFT Contracts, Accounts and Direction'],
])('without any %s it says that, not that addresses had none', async (event, what, check) => {
	const { error } = await world.manually({ event, options: { maxBlocksPerPoll: 120 } });
	expect(error?.message).toMatch(
		new RegExp(`^No such transfer of ${what} in the last \\d+ blocks$`),
	);
	expect(error?.description).toContain(`Check ${check}, or raise`);
});

test('and when no block is old enough', async () => {
	const { manually } = world;
	const { error } = await manually({ event: 'newBlock', options: { confirmations: 1_000_000 } });
	expect(error?.message).toBe(
		"No block has as many confirmations yet as the option 'Confirmations' demands",
	);
});

test('it neither reads nor moves the place of the active workflow', async () => {
	const { active, manually, mine, height } = world;
	const polling = await active({ event: 'newBlock' });
	await mine(3);
	const before = polling.inMemory();
	const { items } = await manually({ event: 'newBlock' }, polling.workflow);
	expect(items.map(({ json }) => json)).toMatchObject([{ number: await height() }]);
	expect(polling.inMemory()).toBe(before);
	expect((await polling.poll()).items).toHaveLength(3);
});
