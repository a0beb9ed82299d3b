import fc from 'fast-check';
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { createTransferFormatter } from '../../../nodes/core/evm/follow/transferItems';
import { matchesFilter } from '../../../nodes/core/evm/logs';
import { buildTransferFilters } from '../../../nodes/core/evm/transfers';
import { collectResults } from '../../../nodes/core/run';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { token } from '../../../nodes/EvmRpc/token';
import { parseWholeAmount } from '../../../nodes/core/values/units';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { ANY_AMOUNT } from '../support/anyAmount.mts';
import { createChain, createContext } from '../support/chains.mts';

fc.configureGlobal({ seed: getSeed(20261127), numRuns: getCaseCount(200) });

const TRANSFER = parseAbi([
	'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const TOKENS = ['c1', 'c2'].map((end) => `0x${end.repeat(20)}`) as [string, string];
const PEOPLE = ['a1', 'b2', 'd3'].map((end) => `0x${end.repeat(20)}`);

const anyMoved = fc.record({
	token: fc.constantFrom(...TOKENS),
	from: fc.constantFrom(...PEOPLE),
	to: fc.constantFrom(...PEOPLE),
	value: fc.nat(2),
});
/** Random blocks of transactions, each with the transfers that it makes. */
const anyBlocks = fc.array(fc.array(fc.array(anyMoved, { maxLength: 4 }), { maxLength: 3 }), {
	minLength: 1,
	maxLength: 4,
});
const anyWish = fc.record({
	tokens: fc.subarray([...TOKENS]),
	accounts: fc.subarray(PEOPLE),
	direction: fc.constantFrom('any' as const, 'from' as const, 'to' as const),
});

type Moved = typeof anyMoved extends fc.Arbitrary<infer T> ? T : never;
type Blocks = ReadonlyArray<ReadonlyArray<readonly Moved[]>>;

const toHex = (number: number) => `0x${number.toString(16)}`;
const hashOf = (name: string) => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`;

/** Builds the logs of the blocks. The chain begins at block `first`, and the logs of each block begin at `index`. */
function buildLogs(blocks: Blocks, { first, index }: { first: number; index: number }) {
	return blocks.flatMap((transactions, block) => {
		let logIndex = index;
		return transactions.flatMap((all, at) =>
			all.map((moved) => ({
				address: moved.token,
				topics: encodeEventTopics({ abi: TRANSFER, args: moved as never }) as string[],
				data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(moved.value)]),
				blockNumber: toHex(first + block),
				blockHash: hashOf(`block ${first + block} ${index}`),
				transactionHash: hashOf(`transaction ${block} ${at}`),
				transactionIndex: toHex(at),
				logIndex: toHex(logIndex++),
			})),
		);
	});
}

type Logs = ReturnType<typeof buildLogs>;

/** Answers like a node that has the given logs. The first token has two decimals, and the second token gives none. */
const answerer = (logs: Logs) => (method: string, params: unknown) => {
	const [asked] = params as [Record<string, never>];
	if (method === 'eth_call') return answerCall(asked as never);
	const { address, topics, fromBlock, toBlock } = asked;
	const filter = { addresses: [address ?? []].flat(), topics: topics ?? [] };
	return logs.filter(
		(log) =>
			matchesFilter(log, filter) &&
			Number(log.blockNumber) >= Number(fromBlock) &&
			Number(log.blockNumber) <= Number(toBlock),
	);
};

function answerCall({ to, data }: { to: string; data: string }): string {
	const isDecimals = data.startsWith('0x313ce567');
	return to === TOKENS[0] && isDecimals ? toHex(2).replace('0x', '0x'.padEnd(65, '0')) : '0x';
}

type Item = Readonly<Record<string, unknown>>;

async function readByOperation(logs: Logs, given: object): Promise<Item[]> {
	const answer = answerer(logs);
	const context = createContext(
		async ({ method, params }: RpcRequest) => await Promise.resolve(answer(method, params)),
	);
	const parameters = { tokens: [], accounts: [], direction: 'any', options: {}, ...given };
	return (await collectResults(token.operations.getTransfers, parameters, context)) as Item[];
}

/** Reads transfers as the trigger does, by the filters for the user's wish. */
async function readByTrigger(logs: Logs, wish: Parameters<typeof buildTransferFilters>[0]) {
	const filters = buildTransferFilters(wish);
	const found = logs.filter((log) => filters.some((filter) => matchesFilter(log, filter)));
	const format = createTransferFormatter(ANY_AMOUNT);
	return (await format(found, () => null, createChain(answerer(logs)))).flat() as Item[];
}

const keysOf = (items: readonly Item[]) => items.map(({ key }) => key);
/** Maps the block number and log index of each transfer to its key. */
const keysByPlace = (items: readonly Item[]) =>
	new Map(items.map(({ blockNumber, logIndex, key }) => [`${blockNumber} ${logIndex}`, key]));

const EVERYTHING = { fromBlock: '0x0', toBlock: '0xffff' };

test('a transfer has one key, whoever reads it, by whatever filter and range, and in whatever block it is', async () => {
	await fc.assert(
		fc.asyncProperty(anyBlocks, anyWish, fc.nat(4), async (blocks, wish, from) => {
			const logs = buildLogs(blocks, { first: 5, index: 3 });
			const all = await readByOperation(logs, EVERYTHING);
			expect(all).toHaveLength(logs.length);
			expect(new Set(keysOf(all)).size).toBe(logs.length);

			const known = keysByPlace(all);
			const wished = await readByOperation(logs, { ...EVERYTHING, ...wish });
			const part = await readByOperation(logs, { ...EVERYTHING, fromBlock: toHex(5 + from) });
			const triggered = await readByTrigger(logs, wish);
			for (const items of [wished, part, triggered]) {
				for (const [place, key] of keysByPlace(items)) expect(key).toBe(known.get(place));
			}
			expect(keysOf(triggered)).toEqual(keysOf(wished));

			const replaced = buildLogs(blocks, { first: 8, index: 0 });
			expect(keysOf(await readByOperation(replaced, EVERYTHING))).toEqual(keysOf(all));
		}),
	);
});

test('Min Amount leaves out less, and whatever has no decimals, and changes no key', async () => {
	await fc.assert(
		fc.asyncProperty(anyBlocks, async (blocks) => {
			const logs = buildLogs(blocks, { first: 5, index: 0 });
			const all = await readByOperation(logs, EVERYTHING);
			const options = { minAmount: parseWholeAmount('0.015') };
			const large = all.filter(({ amount }) => amount !== null && Number(amount) >= 0.015);
			expect(await readByOperation(logs, { ...EVERYTHING, options })).toEqual(large);
			const one = await readByOperation(logs, { ...EVERYTHING, options, limit: 1 });
			expect(one).toEqual(large.slice(0, 1));
		}),
	);
});

test('where a node leaves out the hash of the transaction, blocks distinguish transfers', async () => {
	const moved = { token: TOKENS[0], from: PEOPLE[0]!, to: PEOPLE[1]!, value: 1 };
	const logs = buildLogs([[[moved, moved]], [[moved]]], { first: 5, index: 0 });
	const bare = logs.map(({ transactionHash: _, ...log }) => log) as Logs;
	const items = await readByOperation(bare, EVERYTHING);
	expect(new Set(keysOf(items)).size).toBe(3);
	expect(items.map(({ transactionHash }) => transactionHash)).toEqual([null, null, null]);
});
