import type { IDataObject } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import { createWorld } from '../support/world.mts';

const world = createWorld();
let editions: Awaited<ReturnType<typeof deployContract>>;

beforeAll(async () => {
	editions = await deployContract(world.sandbox, 'Editions', { file: 'Nfts' });
	for (const id of [1, 2]) {
		const data = editions.data('mint(address,uint256,uint256)', BigInt(editions.owner), id, 1000);
		await world.sandbox.mined({ from: editions.owner, to: editions.address, data });
	}
});

const PAYEE = `0x${'a1'.padStart(40, '0')}`;

const batch = (ids: bigint[], values: bigint[]) => ({
	from: editions.owner,
	to: editions.address,
	gas: '0x7a120',
	data: encodeFunctionData({
		abi: editions.abi as Abi,
		functionName: 'safeBatchTransferFrom',
		args: [editions.owner, PAYEE, ids, values, '0x'],
	}),
});
const give = async (...lists: Parameters<typeof batch>) =>
	await world.sandbox.mined(batch(...lists));

const transfers = (parameters: IDataObject = {}) => ({
	event: 'nftTransfer',
	contracts: editions.address,
	accounts: PAYEE,
	...parameters,
});
const moves = (items: readonly IDataObject[]) =>
	items.map(
		({ tokenId, quantity, removed }) =>
			`${removed ? '-' : '+'}${String(quantity)} of ${String(tokenId)}`,
	);

test('tokens come one by one, with the time of their block, and each once', async () => {
	const workflow = await world.active(transfers());
	const { transactionHash } = await give([1n, 2n], [3n, 4n]);
	const block = (await world.sandbox.chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	const { items } = await workflow.poll();
	expect(moves(items)).toEqual(['+3 of 1', '+4 of 2']);
	expect(items[1]).toEqual({
		contract: getAddress(editions.address),
		standard: 'ERC-1155',
		tokenId: '2',
		quantity: '4',
		operator: getAddress(editions.owner),
		from: getAddress(editions.owner),
		to: getAddress(PAYEE),
		blockNumber: Number(block.number),
		blockHash: block.hash,
		transactionHash,
		logIndex: 0,
		timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
		removed: false,
	});
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
});

test('the other side of a transfer is left out', async () => {
	const workflow = await world.active(transfers({ direction: 'from' }));
	await give([1n], [1n]);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a reorganization takes all tokens of a batch back', async () => {
	const workflow = await world.active(transfers());
	await give([1n, 2n], [5n, 6n]);
	expect(moves((await workflow.poll()).items)).toEqual(['+5 of 1', '+6 of 2']);
	await world.sandbox.chain('anvil_reorg', 1, [[batch([2n], [7n]), 0]]);
	await world.mine(1);
	expect(moves((await workflow.poll()).items)).toEqual(['-6 of 2', '-5 of 1', '+7 of 2']);
});

test('by hand it shows the latest one, or says what there is none of', async () => {
	await give([1n, 2n], [8n, 9n]);
	await world.mine(5);
	expect((await world.manually(transfers())).items[0]?.json).toMatchObject({ quantity: '9' });
	const { error } = await world.manually(transfers({ contracts: PAYEE }));
	expect(error?.message).toMatch(/^No such transfer of an NFT in the last \d+ blocks$/);
	expect(error?.description).toContain('Check NFT Contracts, Accounts and Direction');
});

test('after a restart it goes on where it was', async () => {
	const workflow = await world.active(transfers());
	await give([1n], [1n]);
	await workflow.poll();
	await give([2n, 1n], [2n, 3n]);
	const next = world.workflow(transfers(), { saved: workflow.saved() });
	expect(moves((await next.activate()).items)).toEqual(['+2 of 2', '+3 of 1']);
});
