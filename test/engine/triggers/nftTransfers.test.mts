import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { numberToHex } from '../../harness/fakeNode.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { DRIVERS } from './support/driver.mts';

const chain = createSandboxChain();

type Contract = Awaited<ReturnType<typeof deployContract>>;

let collection: Contract;
let editions: Contract;
let early: Contract;
let coin: Contract;

const PAYEE = `0x${'a1'.padStart(40, '0')}`;

beforeAll(async () => {
	const put = async (name: string) => await deployContract(chain.sandbox, name, { file: 'Nfts' });
	[collection, editions] = [await put('Collection'), await put('Editions')];
	early = await put('Early');
	coin = await deployContract(chain.sandbox, 'Coin', { file: 'Tokens' });
	for (const id of [1n, 2n]) await send(editions, 'mint', [editions.owner, id, 100n]);
});

const call = ({ address, owner, abi }: Contract, functionName: string, args: unknown[]) => ({
	from: owner,
	to: address,
	gas: numberToHex(500_000),
	data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
});
const send = async (...parts: Parameters<typeof call>) => await chain.sandbox.mined(call(...parts));

const give = (id: bigint, to = PAYEE) =>
	call(collection, 'transferFrom', [collection.owner, to, id]);
const batch = (ids: bigint[], values: bigint[]) =>
	call(editions, 'safeBatchTransferFrom', [editions.owner, PAYEE, ids, values, '0x']);

const moves = (items: readonly IDataObject[]) =>
	items.map(
		({ tokenId, quantity, removed }) =>
			`${removed ? '-' : '+'}${String(quantity)} of ${String(tokenId)}`,
	);

describe.each(DRIVERS)('by %s', (by, createDriver) => {
	const driver = createDriver();
	const start = async (parameters: INodeParameters = {}) =>
		await driver.start({ event: 'nftTransfer', ...parameters }, chain.sandbox.credentials.token);

	test('each token of a batch is an item, with the time of its block, and no contract is asked', async () => {
		const trigger = await start({ contracts: editions.address, accounts: PAYEE });
		const { transactionHash } = await chain.sandbox.mined(batch([2n, 1n, 2n], [3n, 0n, 1n]));
		const block = (await chain.sandbox.chain(
			'eth_getBlockByNumber',
			'latest',
			false,
		)) as IDataObject;
		const items = await trigger.readAll(3);
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
		expect((await chain.calls()).map(({ method }) => method)).not.toContain('eth_call');
	});

	test('only NFTs, of these contracts and accounts, come, one to itself once', async () => {
		const id = BigInt(DRIVERS.findIndex(([one]) => one === by) + 10);
		await send(collection, 'mint', [collection.owner, id, '']);
		const all = await start();
		const ours = await start({ accounts: [PAYEE, collection.owner] });
		const received = await start({ accounts: PAYEE, direction: 'to' });
		const some = await start({ contracts: [editions.address] });
		await chain.sandbox.mined(give(id, collection.owner));
		const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), 1);
		await chain.sandbox.mined({
			from: coin.owner,
			to: coin.address,
			data,
			gas: numberToHex(200_000),
		});
		await send(early, 'give', [PAYEE, 3n]);
		await chain.sandbox.mined(give(id));
		await chain.sandbox.mined(batch([1n], [5n]));
		const wanted = [`+1 of ${id}`, `+1 of ${id}`, '+5 of 1'];
		expect(moves(await all.readAll(3))).toEqual(wanted);
		expect(moves(await ours.readAll(3))).toEqual(wanted);
		expect(moves(await received.readAll(2))).toEqual(wanted.slice(1));
		expect(moves(await some.readAll(1))).toEqual(wanted.slice(2));
	});

	test('a reorganization takes all tokens of a batch back, the latest first', async () => {
		const trigger = await start({ contracts: editions.address });
		await chain.sandbox.mined(batch([1n, 2n], [4n, 5n]));
		await trigger.readAll(2);
		await chain.reorganize(1, batch([2n, 1n], [6n, 7n]));
		await chain.mine(1);
		expect(moves(await trigger.readAll(6))).toEqual([
			'+4 of 1',
			'+5 of 2',
			'-5 of 2',
			'-4 of 1',
			'+6 of 2',
			'+7 of 1',
		]);
	});
});
