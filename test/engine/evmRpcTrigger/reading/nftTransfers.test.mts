import type { IDataObject } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import { numberToHex, moment, scene } from '../support/scene.mts';

const { sandbox, on, active, drop, set } = scene();

type Contract = Awaited<ReturnType<typeof deployContract>>;

let collection: Contract;
let editions: Contract;
let early: Contract;
let coin: Contract;

const PAYEE = `0x${'a1'.padStart(40, '0')}`;

beforeAll(async () => {
	const put = async (name: string) => await deployContract(sandbox(), name, { file: 'Nfts' });
	[collection, editions, early] = [
		await put('Collection'),
		await put('Editions'),
		await put('Early'),
	];
	coin = await deployContract(sandbox(), 'Coin', { file: 'Tokens' });
	for (const id of [1n, 2n]) await send(editions, 'mint', [editions.owner, id, 100n]);
});

const call = ({ address, owner, abi }: Contract, functionName: string, args: unknown[]) => ({
	from: owner,
	to: address,
	gas: numberToHex(500_000),
	data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
});
const send = async (...parts: Parameters<typeof call>) => await sandbox().mined(call(...parts));

const mint = async (id: bigint) => await send(collection, 'mint', [collection.owner, id, '']);
const give = (id: bigint, to = PAYEE) =>
	call(collection, 'transferFrom', [collection.owner, to, id]);
const batch = (ids: bigint[], values: bigint[]) =>
	call(editions, 'safeBatchTransferFrom', [editions.owner, PAYEE, ids, values, '0x']);

const transfers = (parameters: IDataObject = {}) => on({ event: 'nftTransfer', ...parameters });
const moves = (items: readonly IDataObject[]) =>
	items.map(
		({ tokenId, quantity, removed }) =>
			`${removed ? '-' : '+'}${String(quantity)} of ${String(tokenId)}`,
	);

test('each token of a batch is an item, with the time of its block', async () => {
	const trigger = await active(transfers({ contracts: editions.address, accounts: PAYEE }));
	const { transactionHash } = await sandbox().mined(batch([2n, 1n, 2n], [3n, 0n, 1n]));
	const block = (await sandbox().chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	const items = await trigger.has(3);
	expect(moves(items)).toEqual(['+3 of 2', '+0 of 1', '+1 of 2']);
	expect(items[0]).toEqual({
		contract: getAddress(editions.address),
		standard: 'ERC-1155',
		tokenId: '2',
		quantity: '3',
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
});

test('only NFTs, of these contracts and accounts, come, one to itself once', async () => {
	await mint(10n);
	const all = await active(transfers());
	const ours = await active(transfers({ accounts: [PAYEE, collection.owner] }));
	const received = await active(transfers({ accounts: PAYEE, direction: 'to' }));
	const some = await active(transfers({ contracts: [editions.address] }));
	await sandbox().mined(give(10n, collection.owner));
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), 1);
	await sandbox().mined({ from: coin.owner, to: coin.address, data, gas: numberToHex(200_000) });
	await send(early, 'give', [PAYEE, 3n]);
	await sandbox().mined(give(10n));
	await sandbox().mined(batch([1n], [5n]));
	const wanted = ['+1 of 10', '+1 of 10', '+5 of 1'];
	expect(moves(await all.has(3))).toEqual(wanted);
	expect(moves(await ours.has(3))).toEqual(wanted);
	expect(moves(await received.has(2))).toEqual(wanted.slice(1));
	expect(moves(await some.has(1))).toEqual(wanted.slice(2));
	await moment(100);
	expect([all, ours, received, some].map((one) => one.items().length)).toEqual([3, 3, 2, 1]);
});

test('what was missed is read afterwards, and no contract is asked', async () => {
	const trigger = await active(transfers({ contracts: editions.address }));
	await set({ mute: true });
	await drop('reset');
	await sandbox().mined(batch([1n, 2n], [1n, 2n]));
	await sandbox().mined(batch([2n], [3n]));
	expect(moves(await trigger.has(3))).toEqual(['+1 of 1', '+2 of 2', '+3 of 2']);
	expect(JSON.stringify(await sandbox().record())).not.toContain('eth_call');
});

test('a reorganization takes all tokens of a batch back, the latest first', async () => {
	const trigger = await active(transfers({ contracts: editions.address }));
	await sandbox().mined(batch([1n, 2n], [4n, 5n]));
	await trigger.has(2);
	await sandbox().chain('anvil_reorg', 1, [[batch([2n, 1n], [6n, 7n]), 0]]);
	await sandbox().chain('evm_mine');
	expect(moves(await trigger.has(6))).toEqual([
		'+4 of 1',
		'+5 of 2',
		'-5 of 2',
		'-4 of 1',
		'+6 of 2',
		'+7 of 1',
	]);
});
