import { deployContract } from '../../harness/contract.mts';
import { createFakeNode } from '../../harness/fakeNode.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const sandbox = createSandbox({ chain: true });
const { first } = evmRpcAt(sandbox);
let feed: Contract;
let coin: Contract;

beforeAll(async () => {
	feed = await deployContract(sandbox, 'Feed', { file: 'Feeds' });
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
});

const get = async (address: string, more = {}) =>
	await first({ resource: 'price', operation: 'get', feed: address, ...more });

const MOST = 2n ** 80n - 1n;
const INT256_MODULUS = 2n ** 256n;

async function headTime(): Promise<bigint> {
	const head = await sandbox.chain('eth_getBlockByNumber', 'latest', false);
	return BigInt((head as { timestamp: string }).timestamp);
}

/** Sets the latest round of the feed. The parameters are in the order of the contract's function `setRound`. */
async function setRound(round: bigint, answer: bigint, updatedAt: bigint, answeredIn = round) {
	const word = answer < 0n ? answer + INT256_MODULUS : answer;
	const method = 'setRound(uint80,int256,uint256,uint80)';
	const data = feed.data(method, round, word, updatedAt, answeredIn);
	await sandbox.mined({ from: feed.owner, to: feed.address, data });
}

test('a feed without a round says so in its own words', async () => {
	const failure = await get(feed.address);
	expect(failure).toMatchObject({
		message: expect.stringMatching(/^The price feed 0x\w{40} gives no price: .*No data present/),
	});
});

test('a price is exact, and its age is counted by the latest block', async () => {
	const updatedAt = (await headTime()) - 50n;
	await setRound(MOST, 312_345_678_901n, updatedAt);
	const age = Number((await headTime()) - updatedAt);
	expect(await get(feed.address)).toEqual({
		description: 'COIN / USD',
		price: '3123.45678901',
		decimals: 8,
		value: '312345678901',
		updatedAt: new Date(Number(updatedAt) * 1000).toISOString(),
		ageSeconds: age,
		isStale: false,
		roundId: String(MOST),
	});
	expect(await get(feed.address, { maxAge: age })).toMatchObject({ isStale: false });
	expect(await get(feed.address, { maxAge: age - 1 })).toMatchObject({ isStale: true });
});

test.each([
	['0', 7n, 0n, 1n, 7n, /answers 0, which is no price$/],
	['below 0', 7n, -5n, 1n, 7n, /answers -5, which is no price$/],
	['without a time', 7n, 5n, 0n, 7n, /^Round 7 of the price feed 0x\w{40} is not finished$/],
	['of an earlier round', 7n, 5n, 1n, 6n, /^Round 7 of the price feed 0x\w{40} is not finished$/],
	['of the future', 7n, 5n, 2n ** 40n, 7n, /gives a time in the future$/],
	['of the end of time', 7n, 5n, 2n ** 256n - 1n, 7n, /gives a time in the future$/],
])('an answer %s is a failure', async (_which, round, answer, updatedAt, answeredIn, words) => {
	await setRound(round, answer, updatedAt, answeredIn);
	expect(await get(feed.address)).toMatchObject({ message: expect.stringMatching(words) });
});

test.each([
	['a token', () => coin.address],
	['an account', () => coin.owner],
])('%s is no price feed', async (_which, address) => {
	const failure = await get(address());
	expect(failure).toMatchObject({ message: `There is no price feed at ${address()}` });
});

describe('a node that lies', () => {
	const node = createFakeNode();
	const WORD = (value: bigint) => value.toString(16).padStart(64, '0');
	const words = (...values: bigint[]) => `0x${values.map(WORD).join('')}`;
	const LATEST_ROUND = '0xfeaf968c';
	const DECIMALS = '0x313ce567';

	/** Makes the contract return a value for each selector, and the latest block have the given times in turn. */
	function answer(returned: Readonly<Record<string, string>>, ...times: unknown[]) {
		node.setAnswers({
			eth_call: ({ params: [call] }) => returned[(call as { data: string }).data] ?? '0x',
			eth_getBlockByNumber: (call) => {
				const time = times.length > 1 ? times.shift() : times[0];
				return { ...(node.truth(call) as object), timestamp: time };
			},
		});
	}
	const lied = async () =>
		await evmRpcAt(sandbox).first(
			{ resource: 'price', operation: 'get', feed: coin.address },
			{ credentials: node.credentials },
		);

	const GOOD = { [LATEST_ROUND]: words(1n, 5n, 9n, 9n, 1n), [DECIMALS]: words(0n) };

	test('a round of a block after the head that was read is of the next head', async () => {
		answer(GOOD, '0x8', '0xa');
		expect(await lied()).toMatchObject({ price: '5', ageSeconds: 1, description: null });
	});

	test.each([
		['no round', { ...GOOD, [LATEST_ROUND]: words(1n, 5n) }, '0xa', 'There is no price feed at'],
		[
			'too large a round',
			{ ...GOOD, [LATEST_ROUND]: words(2n ** 80n, 5n, 9n, 9n, 1n) },
			'0xa',
			'There is no price feed at',
		],
		['no decimals', { [LATEST_ROUND]: GOOD[LATEST_ROUND]! }, '0xa', 'There is no price feed at'],
		['too many decimals', { ...GOOD, [DECIMALS]: words(256n) }, '0xa', 'There is no price feed at'],
		['words', { ...GOOD, [LATEST_ROUND]: 'price' }, '0xa', 'There is no price feed at'],
		['no time', GOOD, null, 'The service did not answer with a block with its time'],
		['a time that is none', GOOD, 'now', 'The service did not answer with a block with its time'],
		[
			'an endless time',
			GOOD,
			`0x${'f'.repeat(64)}`,
			'The service did not answer with a block with its time',
		],
	])('%s is a failure', async (_which, returned, time, words) => {
		answer(returned, time);
		expect(await lied()).toMatchObject({ message: expect.stringContaining(words) });
	});
});
