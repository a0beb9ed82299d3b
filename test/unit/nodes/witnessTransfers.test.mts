import { parseWholeAmount } from '../../../nodes/core/values/units';
import fc from 'fast-check';
import { utils } from 'tronweb';
import { blockOrBackParser } from '../../../nodes/core/chain/back';
import { token } from '../../../nodes/WitnessWallet/token';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { collectResults } from '../../../nodes/core/run';
import {
	account,
	call,
	transactionId,
	transferLog,
	WitnessChain,
} from '../../harness/witnessChain.mts';
import { getCaseCount } from '../../harness/caseCount.mts';
import { createContext } from '../support/chains.mts';
import { createWitnessReader } from '../support/witnessReader.mts';

const NAMES = ['a', 'b', 'c'];
const TOKENS = ['one', 'other'];
const toBase58 = (name: string) => utils.address.fromHex(`41${account(name)}`);

interface Moved {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly value: number;
}

interface Sent {
	readonly moved: readonly Moved[];
	readonly hasFailed: boolean;
}

const anyMoved = fc.record({
	token: fc.constantFrom(...TOKENS),
	from: fc.constantFrom(...NAMES),
	to: fc.constantFrom(...NAMES),
	// Many values are small, so that a transaction often has equal transfers. Their items must have different keys.
	value: fc.oneof(fc.nat(2), fc.nat(1_000_000_000)),
});
const anySent = fc.record({
	moved: fc.array(anyMoved, { maxLength: 3 }),
	hasFailed: fc.boolean(),
});
const anyBlocks = fc.array(fc.array(anySent, { maxLength: 2 }), { minLength: 1, maxLength: 25 });
const anyWish = fc.record({
	tokens: fc.subarray(TOKENS),
	accounts: fc.subarray(NAMES),
	direction: fc.constantFrom('any', 'from', 'to'),
	limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
	minAmount: fc.option(fc.constantFrom('0.000001', '0.0000015', '400'), { nil: undefined }),
	servesLists: fc.boolean(),
	ends: fc.tuple(fc.nat(30), fc.nat(30)),
});

function buildChain(blocks: ReadonlyArray<readonly Sent[]>, servesLists: boolean): WitnessChain {
	const chain = new WitnessChain();
	for (const sent of blocks) {
		chain.mine(
			...sent.map(({ moved, hasFailed }) => ({
				...call('a', 'one'),
				hasFailed,
				// Another event's log stands before each transfer's log, and must count in the indexes of the logs.
				...(!hasFailed && { logs: moved.flatMap((one) => [approvalLog(one), logOf(one)]) }),
			})),
		);
	}
	chain.mineEmpty(chain.lag);
	if (!servesLists) chain.hideLists();
	return chain;
}

const logOf = ({ token: of, from, to, value }: Moved) => transferLog(of, from, to, value);
const timeOf = (chain: WitnessChain, number: number) =>
	(chain.block(number) as { block_header: { raw_data: { timestamp: number } } }).block_header
		.raw_data.timestamp;

const readTransfers = async (chain: WitnessChain, given: object) =>
	(await collectResults(
		token.operations.getTransfers,
		{ tokens: [], accounts: [], direction: 'any', options: {}, ...given },
		createWitnessReader(chain),
	)) as Array<Record<string, unknown>>;
const approvalLog = (one: Moved) => ({ ...logOf(one), topics: ['8c'.padEnd(64, '5')] });

test('transfers are those of the logs in the range, in their order, with their places', async () => {
	await fc.assert(
		fc.asyncProperty(anyBlocks, anyWish, async (blocks, wish) => {
			const chain = buildChain(blocks, wish.servesLists);
			const first = chain.solid - blocks.length + 1;
			const [one, other] = wish.ends.map((end) => Math.min(end, chain.solid)) as [number, number];
			const [fromBlock, toBlock] = [Math.min(one, other), Math.max(one, other)];
			const given = {
				...wish,
				tokens: wish.tokens.map(account),
				accounts: wish.accounts.map(account),
				fromBlock,
				toBlock,
				options:
					wish.minAmount === undefined ? {} : { minAmount: parseWholeAmount(wish.minAmount) },
			};
			const found = await readTransfers(chain, given);
			const all = await readTransfers(chain, { fromBlock: 0, toBlock: chain.solid });
			const keys = new Map(all.map((item) => [`${item.blockNumber} ${item.logIndex}`, item.key]));
			expect(new Set(keys.values()).size).toBe(all.length);
			const isSide = (name: string) => wish.accounts.length === 0 || wish.accounts.includes(name);
			const expected = blocks.flatMap((sent, index) => {
				const number = first + index;
				if (number < fromBlock || number > toBlock) return [];
				let logIndex = 0;
				return sent.flatMap(({ moved, hasFailed }, at) =>
					(hasFailed ? [] : moved).flatMap(({ token: of, from, to, value }) => {
						logIndex += 2;
						const isWanted =
							(wish.tokens.length === 0 || wish.tokens.includes(of)) &&
							value / 1e6 >= Number(wish.minAmount ?? 0) &&
							((wish.direction !== 'to' && isSide(from)) ||
								(wish.direction !== 'from' && isSide(to)));
						if (!isWanted) return [];
						return [
							{
								key: keys.get(`${number} ${logIndex - 1}`),
								chain: 'witness',
								timestamp: new Date(timeOf(chain, number)).toISOString(),
								comment: null,
								token: toBase58(of),
								symbol: 'USDX',
								decimals: 6,
								from: toBase58(from),
								to: toBase58(to),
								value: String(value),
								amount: String(value / 1e6),
								blockNumber: number,
								blockHash: chain.refOf(number).hash,
								transactionHash: transactionId(number, at),
								logIndex: logIndex - 1,
							},
						];
					}),
				);
			});
			const plain = found.map((item) => ({
				...item,
				amount: String(Number(item.amount)),
			}));
			expect(plain).toEqual(expected.slice(0, wish.limit));
		}),
		{ numRuns: getCaseCount(200) },
	);
});

describe('the range', () => {
	const given = { tokens: [], accounts: [], direction: 'any' as const, options: {} };
	const MOVED: Moved = { token: 'one', from: 'a', to: 'b', value: 5 };
	const search = async (chain: WitnessChain, range: object) =>
		await collectResults(
			token.operations.getTransfers,
			{ ...given, ...range },
			createWitnessReader(chain),
		);

	test('latest is the last irreversible block', async () => {
		const chain = buildChain([[{ moved: [MOVED], hasFailed: false }]], true);
		chain.mine({ ...call('a', 'one'), logs: [logOf(MOVED)] });
		const all = await search(chain, { fromBlock: 0, toBlock: 'latest' });
		expect(all).toHaveLength(1);
		expect(await search(chain, { fromBlock: 'latest', toBlock: 'latest' })).toEqual([]);
	});

	test.each([
		['2 blocks back', 2],
		['5 seconds back', 2],
		['1 hour back', 3],
	])('%s gives what is in these irreversible blocks', async (fromBlock, count) => {
		const sent = [{ moved: [MOVED], hasFailed: false }];
		const chain = buildChain([sent, sent, sent], true);
		const found = await search(chain, {
			fromBlock: blockOrBackParser(Number)(fromBlock),
			toBlock: chain.solid,
		});
		expect(found).toHaveLength(count);
	});

	test('the first block, whose transactions have no addresses, is only looked at for its time', async () => {
		const sent = [{ moved: [MOVED], hasFailed: false }];
		const chain = buildChain([sent, sent, sent], true);
		const value = { owner_address: '30'.repeat(23), to_address: '41', amount: -(2 ** 63) };
		const contract = [{ type: 'TransferContract', parameter: { value } }];
		const transactions = [{ txID: transactionId(0, 0), raw_data: { contract } }];
		const asked: unknown[] = [];
		chain.change = (answer, method, { num }) => {
			if (!/getblockbynum$/.test(method)) return answer;
			asked.push(num);
			return num === 0 ? { ...(answer as object), transactions } : answer;
		};
		const back = { fromBlock: blockOrBackParser(Number)('5 seconds back'), toBlock: chain.solid };
		expect(await search(chain, back)).toHaveLength(2);
		expect(asked).toContain(0);
	});

	test('what is not irreversible yet is refused by its number', async () => {
		const chain = buildChain([[]], true);
		for (const range of [
			{ fromBlock: 0, toBlock: chain.solid + 1 },
			{ fromBlock: chain.solid + 1, toBlock: 'latest' },
		]) {
			await expect(search(chain, range)).rejects.toThrow(
				`Block ${chain.solid + 1} is not irreversible yet: the last one is ${chain.solid}`,
			);
		}
		chain.lag = chain.head + 5;
		await expect(search(chain, { fromBlock: 0, toBlock: 'latest' })).rejects.toThrow();
	});

	test('the wrong way round is refused, before anything is asked', async () => {
		const chain = buildChain([[]], true);
		await expect(search(chain, { fromBlock: 2, toBlock: 1 })).rejects.toThrow(/must not be later/);
		expect(chain.asked).toEqual([]);
		await expect(search(chain, { fromBlock: 'latest', toBlock: 0 })).rejects.toThrow(
			/must not be later/,
		);
	});

	test('a node that misses receipts gives nothing instead of too little', async () => {
		const chain = buildChain([[{ moved: [MOVED], hasFailed: false }]], true);
		chain.change = (answer, method) => (method === 'gettransactioninfobyblocknum' ? [] : answer);
		await expect(search(chain, { fromBlock: 0, toBlock: 'latest' })).rejects.toThrow(
			/does not have block 2 with the receipts/,
		);
	});
});

describe('a token', () => {
	const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
	const textOf = (text: string) =>
		`${word(32)}${word(Buffer.byteLength(text))}${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
	const FACTS: Readonly<Record<string, string>> = {
		'name()': textOf('Whole €'),
		'symbol()': textOf('W€'),
		'decimals()': word(6),
		'totalSupply()': word(10n ** 24n + 1n),
		[`balanceOf(address)${word(BigInt(`0x${account('a')}`))}`]: word(25_500_000),
	};
	const given = { token: account('one'), owner: account('a') };

	/** A call of a missing function reverts, as it does on the chain. */
	const contextOf = (facts: Readonly<Record<string, string>>) =>
		createContext<RestRequest>(async ({ body }) => {
			const { function_selector: name, parameter } = JSON.parse(String(body)) as {
				function_selector: string;
				parameter: string;
			};
			const found = facts[name + parameter];
			const message = Buffer.from('REVERT opcode executed').toString('hex');
			return await Promise.resolve({
				result: { result: true, ...(found === undefined && { message }) },
				constant_result: [found ?? ''],
			});
		});
	const get = async (facts: Readonly<Record<string, string>>) =>
		await collectResults(token.operations.get, given, contextOf(facts));
	const getBalance = async (facts: Readonly<Record<string, string>>) =>
		await collectResults(token.operations.getBalance, given, contextOf(facts));

	test('says what it is, and what an account has of it', async () => {
		expect(await get(FACTS)).toEqual([
			{
				token: toBase58('one'),
				name: 'Whole €',
				symbol: 'W€',
				decimals: 6,
				totalSupply: String(10n ** 24n + 1n),
				supply: '1000000000000000000.000001',
			},
		]);
		expect(await getBalance(FACTS)).toEqual([
			{
				token: toBase58('one'),
				owner: toBase58('a'),
				symbol: 'W€',
				decimals: 6,
				value: '25500000',
				amount: '25.5',
				balance: '25500000',
			},
		]);
	});

	test('what it does not say is null', async () => {
		const { 'totalSupply()': supply = '' } = FACTS;
		expect(await get({ 'totalSupply()': supply })).toEqual([
			{
				token: toBase58('one'),
				name: null,
				symbol: null,
				decimals: null,
				totalSupply: String(10n ** 24n + 1n),
				supply: null,
			},
		]);
		const { 'decimals()': _decimals, ...others } = FACTS;
		expect(await getBalance(others)).toMatchObject([{ decimals: null, amount: null }]);
	});

	test('that says nothing is none', async () => {
		const words = `There is no token at ${toBase58('one')}`;
		await expect(get({})).rejects.toThrow(words);
		await expect(getBalance({ 'symbol()': textOf('W€') })).rejects.toThrow(words);
	});

	test('a node that runs no calls is not taken for a token that says nothing', async () => {
		const refusing = createContext<RestRequest>(async () => {
			const message = 'Contract validate error : this node does not support constant';
			return await Promise.resolve({ result: { code: 'CONTRACT_VALIDATE_ERROR', message } });
		});
		for (const operation of [token.operations.get, token.operations.getBalance]) {
			await expect(collectResults(operation, given, refusing)).rejects.toThrow(/does not support/);
		}
	});
});
