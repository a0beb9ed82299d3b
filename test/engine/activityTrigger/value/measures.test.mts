import type { INodeParameters } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { createWorld } from '../support/world.mts';

/**
 * These tests cover each choice of the field Measure, and the item that the trigger emits for it. A value that cannot
 * be read must not count as a value.
 */

const world = createWorld();
const WATCHED = `0x${'78'.repeat(20)}`;
const ETHER = 10n ** 18n;

const watching = (parameters: INodeParameters): INodeParameters => ({
	event: 'value',
	...parameters,
	options: { maxRetries: 0, ...(parameters.options as object) },
});

const setBalance = async (wei: bigint) => {
	await world.sandbox.chain('anvil_setBalance', WATCHED, `0x${wei.toString(16)}`);
	await world.mine(1);
};

/** Activates a workflow whose value is already beyond the threshold, and returns the items of its first poll. */
async function readFirst(parameters: INodeParameters) {
	const { items } = await world.workflow(watching(parameters)).activate();
	return items;
}

test('coins: exact to the last digit, with the block and its time', async () => {
	await setBalance(ETHER - 1n);
	const [item] = await readFirst({ address: WATCHED, threshold: '1' });
	const block = await world.height();
	const { timestamp } = (await world.sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
		timestamp: string;
	};
	expect(item).toEqual({
		summary: expect.stringMatching(
			/^The balance of 0x(78){20} is 0\.999999999999999999, below 1$/,
		) as string,
		measure: 'coinBalance',
		compare: 'fallsBelow',
		threshold: '1',
		value: '0.999999999999999999',
		previous: null,
		unit: null,
		blockNumber: block,
		previousBlockNumber: null,
		timestamp: new Date(Number(timestamp) * 1000).toISOString(),
	});
	expect(Object.keys(item ?? {})).toEqual([
		'summary',
		'measure',
		'compare',
		'threshold',
		'value',
		'previous',
		'unit',
		'blockNumber',
		'previousBlockNumber',
		'timestamp',
	]);
});

test.each(['1', '1.0', ' 1 ', '1.000000000000000000000000', 1])(
	'a threshold of %j is not reached by as much, and is beyond one unit below',
	async (threshold) => {
		await setBalance(ETHER);
		expect(await readFirst({ address: WATCHED, threshold })).toEqual([]);
		expect(
			await readFirst({ address: WATCHED, threshold: '1.000000000000000000000001' }),
		).toMatchObject([{ value: '1', threshold: '1.000000000000000000000001' }]);
	},
);

test('tokens: in whole tokens, by their decimals, with their symbol', async () => {
	const { sandbox } = world;
	const token = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const [item] = await readFirst({
		measure: 'tokenBalance',
		address: WATCHED,
		token: token.address,
		threshold: '0.5',
	});
	expect(item).toMatchObject({ measure: 'tokenBalance', value: '0', threshold: '0.5' });
	expect(item?.unit).toEqual(expect.any(String));
	expect(item?.summary).toContain(`"${item?.unit as string}"`);
});

test('the price of gas is in gwei, of the head, whatever the confirmations', async () => {
	const [item] = await readFirst({
		measure: 'gasPrice',
		compare: 'risesAbove',
		threshold: '0',
		options: { confirmations: 3 },
	});
	const wei = BigInt(String(await world.sandbox.chain('eth_gasPrice')));
	expect(item).toMatchObject({ unit: 'gwei', blockNumber: await world.height() });
	expect(BigInt(Math.round(Number(item?.value) * 1e9))).toBe(wei);
});

describe('the result of a function', () => {
	const declared =
		'function latestRoundData() view returns (uint80 id, int256 answer, uint256 a, uint256 b, uint80 c)';

	async function deployFeed(answer: bigint) {
		const feed = await deployContract(world.sandbox, 'Feed', { file: 'Feeds' });
		await world.sandbox.mined({
			from: feed.owner,
			to: feed.address,
			data: feed.data('set(int256)', answer < 0n ? 2n ** 256n + answer : answer),
		});
		return feed;
	}

	test.each([['answer'], ['1']])('output %s, with its decimals and its sign', async (output) => {
		const feed = await deployFeed(-123_456n);
		const items = await readFirst({
			measure: 'functionResult',
			contract: feed.address,
			function: declared,
			output,
			decimals: 3,
			threshold: '-123.4',
		});
		expect(items).toMatchObject([{ value: '-123.456', threshold: '-123.4', unit: null }]);
	});

	test.each([
		['no output', { function: 'function decimals()' }, /is declared without an output/],
		['several outputs', { function: declared }, /'Output' must be one of/],
		['an unknown output', { function: declared, output: '5' }, /'Output' must be one of/],
		[
			'a text',
			{ function: 'function description() view returns (string)' },
			/returns string, and only an integer can be compared/,
		],
		[
			'a boolean',
			{ function: 'function decimals() view returns (bool)' },
			/returns bool, and only an integer can be compared/,
		],
		[
			'a function that the contract does not have',
			{ function: 'function nothing() view returns (uint256)' },
			/nothing|revert/,
		],
		[
			'a revert',
			{
				function: 'function setRound(uint80,int256,uint256) returns (uint256)',
				arguments: '[1,2,3]',
			},
			/revert|no function/,
		],
	])('%s is refused when the workflow is activated', async (_what, parameters, words) => {
		const feed = await deployFeed(1n);
		const active = readFirst({
			measure: 'functionResult',
			contract: feed.address,
			threshold: '5',
			...parameters,
		});
		await expect(active).rejects.toThrow(words);
	});

	test('arguments are those of the field', async () => {
		const token = await deployContract(world.sandbox, 'Coin', { file: 'Tokens' });
		const items = await readFirst({
			measure: 'functionResult',
			contract: token.address,
			function: 'function balanceOf(address owner) view returns (uint256)',
			arguments: JSON.stringify({ owner: WATCHED }),
			threshold: '1',
		});
		expect(items).toMatchObject([{ value: '0' }]);
	});
});

test.each([
	['no address', { address: '' }, /'Address'/],
	['no threshold', { address: WATCHED, threshold: '' }, /'Threshold' is required/],
	['a unit', { address: WATCHED, threshold: '5 gwei' }, /'Threshold' must be a number/],
	['hex', { address: WATCHED, threshold: '0x10' }, /'Threshold' must be a number/],
	['a percentage of a line', { address: WATCHED, threshold: '5%' }, /only 'Changes By' takes/],
	[
		'a change below 0',
		{ address: WATCHED, compare: 'changesBy', threshold: '-1' },
		/must be 0 or more/,
	],
	['a rearming too soon', { address: WATCHED, rearmAt: '0.5' }, /must be at or above/],
	[
		'a rearming too soon, above',
		{ address: WATCHED, compare: 'risesAbove', rearmAt: '1.5' },
		/must be at or below/,
	],
	[
		'an account that is no token',
		{ measure: 'tokenBalance', address: WATCHED, token: WATCHED },
		/There is no token/,
	],
	['an account that is no feed', { measure: 'price', feed: WATCHED }, /There is no price feed/],
])('%s is refused when the workflow is activated', async (_what, parameters, words) => {
	await expect(readFirst({ threshold: '1', ...parameters })).rejects.toThrow(words);
});

test('a rearming that does not count for Changes By refuses nothing', async () => {
	const parameters = { address: WATCHED, compare: 'changesBy', threshold: '1', rearmAt: '-7' };
	expect(await readFirst(parameters)).toEqual([]);
});

test('a test by hand gives the present value, whatever the line', async () => {
	await setBalance(3n * ETHER);
	const { items } = await world.manually(watching({ address: WATCHED, threshold: '1' }));
	expect(items.map(({ json }) => json)).toMatchObject([
		{ value: '3', previous: null, summary: expect.stringMatching(/ is 3; the threshold is 1$/) },
	]);
});
