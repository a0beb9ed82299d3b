import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	createPublicClient,
	custom,
	encodeAbiParameters,
	encodeEventTopics,
	encodeFunctionData,
	getAddress,
	parseAbi,
	parseEventLogs,
	type Abi,
	type Hex,
} from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const sandbox = createSandbox({ chain: true });
let collection: Contract;
let editions: Contract;
let odd: Record<
	'early' | 'earlyEditions' | 'liar' | 'braggart' | 'dirty' | 'heavy' | 'coin',
	Contract
>;
let scribe: Contract;
let owner: string;
let payee: string;
let another: string;
const { run, first } = evmRpcAt(sandbox);

beforeAll(async () => {
	[owner, payee, another] = (await sandbox.chain('eth_accounts')) as [string, string, string];
	const put = async (name: string, ...given: bigint[]) =>
		await deployContract(sandbox, name, { file: 'Nfts', given });
	collection = await put('Collection');
	editions = await put('Editions');
	scribe = await put('Scribe');
	odd = {
		early: await put('Early'),
		earlyEditions: await put('EarlyEditions'),
		liar: await put('Liar', 0n),
		braggart: await put('Liar', 1n),
		dirty: await put('Dirty'),
		heavy: await put('Heavy'),
		coin: await deployContract(sandbox, 'Coin', { file: 'Tokens' }),
	};
	await send(collection, 'mint', [payee, 7n, data({ name: 'Seven', big: '12345678901234567890' })]);
	await send(collection, 'mint', [owner, 2n ** 256n - 1n, '']);
	await send(editions, 'setURI', [
		'data:application/json;utf8,{"name":"Edition {id}","discount":"5%"}',
	]);
	await send(editions, 'mint', [payee, 0xabcn, 40n]);
	await send(odd.early, 'give', [payee, 3n]);
});

const data = (json: object) =>
	`data:application/json;base64,${Buffer.from(JSON.stringify(json)).toString('base64')}`;

/** Calls a function of a contract from an account of the chain. */
async function send(
	{ address, abi }: Contract,
	functionName: string,
	args: unknown[],
	from = owner,
) {
	const call = encodeFunctionData({ abi: abi as Abi, functionName, args });
	return await sandbox.mined({ from, to: address, data: call, gas: '0xe4e1c0' });
}

/** Creates a viem client that reads the same chain. */
const oracle = () => {
	const request = async ({ method, params }: { method: string; params?: unknown }) =>
		await sandbox.chain(method, ...((params as unknown[] | undefined) ?? []));
	return createPublicClient({ transport: custom({ request }) });
};
const readByViem = async ({ address, abi }: Contract, functionName: string, ...args: unknown[]) =>
	await oracle().readContract({ address: address as Hex, abi: abi as Abi, functionName, args });

const of = (operation: string, parameters: INodeParameters) => ({
	resource: 'nft',
	operation,
	...parameters,
});
const get = async ({ address }: Contract, tokenId: string, options: INodeParameters = {}) =>
	await first(of('get', { contract: address, tokenId, options }));
const balance = async ({ address }: Contract, more: INodeParameters) =>
	await first(of('getBalance', { contract: address, ...more }));

describe('an NFT', () => {
	test('of ERC-721 has its owner, its collection and its metadata', async () => {
		expect(await get(collection, '7')).toEqual({
			contract: getAddress(collection.address),
			tokenId: '7',
			standard: 'ERC-721',
			name: await readByViem(collection, 'name'),
			symbol: await readByViem(collection, 'symbol'),
			owner: await readByViem(collection, 'ownerOf', 7n),
			tokenUri: await readByViem(collection, 'tokenURI', 7n),
			metadata: { name: 'Seven', big: '12345678901234567890' },
			metadataError: null,
		});
	});

	test('of ERC-1155 has no owner, and its id is in the address of the metadata', async () => {
		const id = (0xabc).toString(16).padStart(64, '0');
		expect(await get(editions, '0xAbC')).toEqual({
			contract: getAddress(editions.address),
			tokenId: '2748',
			standard: 'ERC-1155',
			name: null,
			symbol: null,
			owner: null,
			tokenUri: String(await readByViem(editions, 'uri', 2748n)).replace('{id}', id),
			metadata: { name: `Edition ${id}`, discount: '5%' },
			metadataError: null,
		});
	});

	test.each([
		['without an address of metadata', () => [collection, (2n ** 256n - 1n).toString()], 'ERC-721'],
		['that does not exist', () => [collection, '8'], 'ERC-721'],
		['whose address of metadata fails', () => [odd.heavy, '0'], 'ERC-721'],
		['whose address of metadata never ends', () => [odd.heavy, '1'], 'ERC-721'],
		['older than ERC-165', () => [odd.early, '3'], 'ERC-721'],
		['older than ERC-165, of many each', () => [odd.earlyEditions, '7'], 'ERC-1155'],
		['that says it is of the other standard', () => [odd.liar, '1'], 'ERC-721'],
		['that says it is of every standard', () => [odd.braggart, '1'], 'ERC-721'],
		['that answers with what fits no type', () => [odd.dirty, '1'], 'ERC-721'],
	] as Array<[string, () => [Contract, string], string]>)(
		'%s comes without metadata, with the reason',
		async (_what, which, standard) => {
			const [contract, tokenId] = which();
			const item = (await get(contract, tokenId)) as IDataObject;
			const reported = await readByViem(contract, 'ownerOf', BigInt(tokenId)).catch(() => null);
			expect(item).toMatchObject({
				standard,
				tokenId,
				owner: reported,
				tokenUri: null,
				metadata: null,
			});
			expect(item.metadataError).toMatch(/^The contract gives no address of the metadata/);
		},
	);

	test('of what is no NFT contract, or no contract at all, is an error that says so', async () => {
		for (const contract of [odd.coin, { ...odd.coin, address: payee }]) {
			const item = (await get(contract, '1')) as unknown as Error;
			expect(item.message).toBe(`There is no NFT contract at ${contract.address}`);
		}
	});

	test('is asked for its metadata only where that is wanted', async () => {
		expect(await get(collection, '7', { fetchMetadata: false })).toMatchObject({
			metadata: null,
			metadataError: null,
			tokenUri: expect.stringContaining('data:'),
		});
	});
});

describe('a balance', () => {
	test('is that of the contract, or of one token', async () => {
		const of721 = { contract: getAddress(collection.address), standard: 'ERC-721' };
		const owned = { ...of721, owner: getAddress(payee) };
		expect(await balance(collection, { owner: payee })).toEqual({
			...owned,
			tokenId: null,
			balance: String(await readByViem(collection, 'balanceOf', payee)),
		});
		const one = { ...owned, tokenId: '7', balance: '1' };
		expect(await balance(collection, { owner: payee, tokenId: '7' })).toEqual(one);
		expect(await balance(collection, { owner, tokenId: '7' })).toMatchObject({ balance: '0' });
		expect(await balance(collection, { owner, tokenId: '8' })).toMatchObject({ balance: '0' });
		expect(await balance(editions, { owner: payee, tokenId: '0xabc' })).toMatchObject({
			standard: 'ERC-1155',
			tokenId: '2748',
			balance: String(await readByViem(editions, 'balanceOf', payee, 2748n)),
		});
		expect(await balance(odd.early, { owner: payee })).toMatchObject({ balance: '1' });
		expect(await balance(odd.braggart, { owner: payee })).toMatchObject({ balance: '5' });
	});

	test('of an earlier block is that of the block', async () => {
		const block = String(await sandbox.chain('eth_blockNumber'));
		await send(editions, 'mint', [payee, 0xabcn, 2n]);
		const one = { owner: payee, tokenId: '2748' };
		expect(await balance(editions, { ...one, block })).toMatchObject({ balance: '40' });
		expect(await balance(editions, one)).toMatchObject({ balance: '42' });
	});

	test('of all tokens is refused for ERC-1155, and for what is no NFT', async () => {
		const refused = async (contract: Contract) =>
			((await balance(contract, { owner: payee })) as unknown as Error).message;
		expect(await refused(editions)).toContain("'Token ID' must be given");
		expect(await refused(odd.coin)).toContain('There is no NFT contract at');
	});
});

test('1,000 owners cost two calls each, in batches', async () => {
	for (const first of [1000n, 1250n, 1500n, 1750n])
		await send(collection, 'mintMany', [payee, first, 250n]);
	await sandbox.reset();
	const { items, error } = await run(
		of('get', { contract: collection.address, tokenId: '={{ $json.id }}' }),
		{ items: Array.from({ length: 1000 }, (_, id) => ({ json: { id: String(1000 + id) } })) },
	);
	expect(error).toBeUndefined();
	expect(new Set(items.map(({ json }) => json.owner))).toEqual(new Set([getAddress(payee)]));
	const requests = await sandbox.record();
	const calls = requests.reduce((sum, one) => sum + one.calls, 0);
	process.stdout.write(`1,000 owners: ${calls} calls in ${requests.length} requests\n`);
	expect(calls).toBe(2004);
	expect(requests.length).toBeLessThan(40);
});

const transfers = async (parameters: INodeParameters = {}) => {
	const range = { fromBlock: 'earliest', returnAll: true };
	const { items, error } = await run(of('getTransfers', { ...range, ...parameters }));
	if (error) throw error;
	return items.map(({ json }) => json);
};

describe('transfers', () => {
	let from: string;
	beforeAll(async () => {
		from = `0x${(Number(await sandbox.chain('eth_blockNumber')) + 1).toString(16)}`;
		await send(collection, 'mint', [owner, 11n, '']);
		await send(collection, 'safeTransferFrom', [owner, payee, 11n]);
		await send(collection, 'transferFrom', [payee, payee, 11n], payee);
		await send(editions, 'mint', [owner, 5n, 100n]);
		await send(editions, 'setApprovalForAll', [another, true]);
		await send(editions, 'safeTransferFrom', [owner, payee, 5n, 9n, '0x'], another);
		await send(editions, 'safeBatchTransferFrom', [
			owner,
			payee,
			[5n, 0xabcn, 5n],
			[1n, 0n, 2n],
			'0x',
		]);
		await send(odd.early, 'give', [payee, 4n]);
		const coins = odd.coin.data('transfer(address,uint256)', BigInt(payee), 1);
		await sandbox.mined({ from: owner, to: odd.coin.address, data: coins });
	});

	const moves = (items: readonly IDataObject[]) =>
		items.map(({ tokenId, quantity }) => `${String(quantity)} of ${String(tokenId)}`);

	test('are one item for each token, as viem reads their logs', async () => {
		const logs = await oracle().getLogs({ fromBlock: BigInt(from) });
		const read = parseEventLogs({
			abi: [...collection.abi, ...editions.abi] as Abi,
			eventName: ['Transfer', 'TransferSingle', 'TransferBatch'],
			logs,
		});
		const wanted = read.flatMap(({ args, ...log }) => {
			const { tokenId, id, value, ids, values, ...parties } = args as unknown as Record<
				string,
				unknown
			>;
			const tokens = (ids ?? [tokenId ?? id]) as readonly unknown[];
			const quantities = (values ?? [value ?? 1n]) as readonly unknown[];
			return tokens.map((one, at) => ({
				contract: getAddress(log.address),
				standard: tokenId === undefined ? 'ERC-1155' : 'ERC-721',
				tokenId: String(one),
				quantity: String(quantities[at]),
				operator: null,
				...(parties as object),
				blockNumber: Number(log.blockNumber),
				blockHash: log.blockHash,
				transactionHash: log.transactionHash,
				logIndex: log.logIndex,
			}));
		});
		expect(wanted).toHaveLength(8);
		expect(await transfers({ fromBlock: from })).toEqual(wanted);
	});

	test.each([
		['from', ['1 of 11']],
		['to', ['1 of 11', '1 of 11', '9 of 5', '1 of 5', '0 of 2748', '2 of 5']],
		['any', ['1 of 11', '1 of 11', '9 of 5', '1 of 5', '0 of 2748', '2 of 5']],
	])('%s an account, one to itself once', async (direction, wanted) => {
		const found = await transfers({ fromBlock: from, accounts: payee, direction });
		expect(moves(found)).toEqual(wanted);
	});

	test('of some contracts only, and no more than wanted, in the middle of a batch', async () => {
		const some = { fromBlock: from, contracts: [editions.address] };
		expect(moves(await transfers({ ...some, returnAll: false, limit: 4 }))).toEqual([
			'100 of 5',
			'9 of 5',
			'1 of 5',
			'0 of 2748',
		]);
	});

	test('an invalid batch is left out, one that is too large becomes a single item', async () => {
		const abi = parseAbi([
			'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
		]);
		const args = { operator: owner, from: owner, to: another } as Record<string, Hex>;
		const topics = encodeEventTopics({ abi, args }) as Hex[];
		const lists = (ids: readonly bigint[], values: readonly bigint[]) =>
			encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, values]);
		const word = (value: bigint) => value.toString(16).padStart(64, '0');
		const many = Array<bigint>(10_001).fill(0n);
		const million: Hex = `0x${word(64n)}${word(64n)}${word(1_000_000n)}`;
		const batches: Hex[] = [
			lists([1n, 2n], [1n]),
			`0x${word(2n ** 255n)}${word(64n)}`,
			million,
			'0x',
			lists([], []),
			lists([6n, 7n], [1n, 2n]),
		];
		for (const batch of batches) await send(scribe, 'write', [topics, batch]);
		// Both lists of the event, IDs and amounts, point to the same bytes. So the data is half as long as with two
		// separate lists.
		const same = `0x${word(64n)}${word(64n)}${lists(many, []).slice(2 + 128, 2 + 128 + 64 * 10_002)}`;
		await send(scribe, 'write', [topics, same]);
		const found = await transfers({ contracts: scribe.address });
		expect(moves(found)).toEqual(['1 of 6', '2 of 7', 'null of null']);
		expect(found.at(-1)).toMatchObject({
			standard: 'ERC-1155',
			from: getAddress(owner),
			to: getAddress(another),
		});
	});
});
