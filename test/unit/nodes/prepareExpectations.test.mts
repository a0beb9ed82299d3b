import {
	getFailure,
	getRefusal,
	HONEST_ANSWERS,
	numberToHex,
	PAYEE,
	prepareAll,
	prepareOne,
	toWord,
	type Answers,
} from '../support/preparing.mts';

const token = `0x${'70'.repeat(20)}`;
const coins = { to: PAYEE, amount: '1' };
const transfer = { kind: 'tokenTransfer', token, to: PAYEE, amount: '1.5' };
const approve = (amount: string) => ({ kind: 'tokenApproval', token, spender: PAYEE, amount });

const OTHER_CHAIN = { eth_chainId: numberToHex(31337) };

/** Creates the answers of a chain whose token has the given number of decimals, or none if it is undefined. */
const tokenOf = (decimals?: number): Answers => ({
	eth_getCode: '0x60',
	eth_estimateGas: numberToHex(50_000),
	eth_call: ([{ data }]: [{ data: string }]) => {
		// The payer's balance is higher than any payment.
		if (data.startsWith('0x70a08231')) return toWord(2n ** 256n - 1n);
		if (!data.startsWith('0x313ce567')) return toWord(1);
		return decimals === undefined ? '0x' : toWord(decimals);
	},
});

describe('the chain that is expected', () => {
	const ELSEWHERE = 'The chain node says that it belongs to chain 31337, where chain 1 is expected';
	const expecting = { ...coins, options: { expectChainId: '0x1' } };

	test.each(['31337', ' 31337 ', '0x7a69', 31337, '0x7A69'])(
		'%j is that of the node',
		async (expectChainId) => {
			const { transaction } = await prepareOne(
				{ ...coins, options: { expectChainId } },
				OTHER_CHAIN,
			);
			expect(transaction.chainId).toBe('0x7a69');
		},
	);

	test('is named with the one that the node returns', async () => {
		expect((await prepareAll([coins], OTHER_CHAIN)).outcomes[0]).toHaveProperty('transaction');
		expect(await getFailure(expecting, OTHER_CHAIN)).toMatchObject({
			message: ELSEWHERE,
			description: expect.stringMatching(
				/^Nothing was prepared, because the payment would be made on the wrong chain/,
			) as string,
		});
	});

	test.each<[what: string, given: object, answers: Answers]>([
		['a token that is none', transfer, tokenOf()],
		['an account without funds', coins, { eth_getBalance: '0x0' }],
		['fees that are none', coins, { eth_gasPrice: 'much' }],
		['a count that is none', coins, { eth_getTransactionCount: 'many' }],
	])('comes before whatever else is wrong, however late it is known: %s', async (...of) => {
		const [, given, answers] = of;
		const late = async () => await new Promise((resolve) => setTimeout(resolve, 20, '0x7a69'));
		const options = { expectChainId: '1' };
		expect(await getRefusal({ ...given, options }, { ...answers, eth_chainId: late })).toBe(
			ELSEWHERE,
		);
	});

	test('may differ from item to item; where it is another one, no nonce is taken', async () => {
		const items = [31337, 1, 31337].map((chain) => ({
			...coins,
			options: { expectChainId: chain },
		}));
		const { outcomes } = await prepareAll(items, OTHER_CHAIN);
		expect(outcomes).toMatchObject([
			{ transaction: { nonce: '0x7' } },
			ELSEWHERE,
			{ transaction: { nonce: '0x8' } },
		]);
	});

	test('costs no round of requests more', async () => {
		expect(await countRounds({ ...coins, options: { expectChainId: '1' } })).toBe(
			await countRounds(coins),
		);
	});
});

/** Counts the rounds of requests, each of which waits for answers of the round before. */
async function countRounds(given: Readonly<Record<string, unknown>>): Promise<number> {
	let rounds = 0;
	let round: Promise<void> | undefined;
	const beginRound = async () => {
		rounds++;
		await new Promise(setImmediate);
		round = undefined;
	};
	const answers = Object.entries(HONEST_ANSWERS).map(([method, answer]) => [
		method,
		async () => {
			await (round ??= beginRound());
			return answer;
		},
	]);
	await prepareOne(given, Object.fromEntries(answers) as Answers);
	return rounds;
}

describe('the decimals that are expected', () => {
	test.each(['6', '0x6', 6, ' 6 '])('%j are those of the token', async (expectDecimals) => {
		for (const given of [transfer, ...['1.5', 'unlimited', '0'].map(approve)]) {
			const made = await prepareOne({ ...given, options: { expectDecimals } }, tokenOf(6));
			expect(made.summary).toMatch(/6 decimals/);
		}
	});

	const asked = [transfer, ...['1.5', '0', 'unlimited'].map(approve)];

	test.each(asked)('are not 18 of a node that lies, for %j', async (given) => {
		await prepareOne(given, tokenOf(18));
		const expecting = { ...given, options: { expectDecimals: '6' } };
		expect(await getFailure(expecting, tokenOf(18))).toMatchObject({
			message: `The token at ${token} reports 18 decimals, where 6 are expected`,
			description: expect.stringMatching(
				/^Nothing was prepared, because the amount would differ/,
			) as string,
		});
		expect(await getRefusal(expecting, tokenOf())).toBe(
			`The token at ${token} reports no decimals, where 6 are expected`,
		);
	});
});

describe('an expectation that says nothing is refused before anything is asked', () => {
	const NUMBER = 'must be a whole number of 0 or more, decimal or 0x-hex; ';

	test.each<[options: Readonly<Record<string, unknown>>, words: string]>([
		...(['', null, undefined, ' ', 'mainnet', '-1', '1.5', '1,5', [1]].map(
			(expectChainId): [object, string] => [
				{ expectChainId },
				`'Options > Expect Chain ID' ${NUMBER}`,
			],
		) as Array<[Readonly<Record<string, unknown>>, string]>),
		[{ expectChainId: '0' }, `'Options > Expect Chain ID' must be 1 or more; got "0"`],
		[{ expectChainId: 2 ** 60 }, `'Options > Expect Chain ID' must be given as text`],
		[{ expectDecimals: '' }, `'Options > Expect Decimals' ${NUMBER}`],
		[{ expectDecimals: 'six' }, `'Options > Expect Decimals' ${NUMBER}`],
		[{ expectDecimals: '256' }, `'Options > Expect Decimals' must be a whole number, 0 to 255`],
	])('%j', async (options, words) => {
		const { outcomes, asked } = await prepareAll([{ ...transfer, options }], tokenOf(6));
		expect(outcomes).toEqual([expect.stringContaining(words)]);
		expect(asked).toEqual([]);
	});

	test.each<[kind: string, given: Readonly<Record<string, unknown>>]>([
		['Coin Transfer', coins],
		['Contract Function', { kind: 'contractFunction', to: PAYEE, function: 'stop()' }],
		['Data', { kind: 'data', to: PAYEE, data: '0x00' }],
		['Deployment', { kind: 'deployment', bytecode: '0x6000' }],
		['NFT Transfer', { kind: 'nftTransfer', contract: token, to: PAYEE, tokenId: '1' }],
	])('the decimals of a %s', async (kind, given) => {
		const { outcomes, asked } = await prepareAll([{ ...given, options: { expectDecimals: '6' } }]);
		expect(outcomes).toEqual([
			`'Options > Expect Decimals' must be removed when 'Kind' is ${kind}`,
		]);
		expect(asked).toEqual([]);
	});
});
