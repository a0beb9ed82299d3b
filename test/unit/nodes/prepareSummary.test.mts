import { encodeAbiParameters, getContractAddress } from 'viem';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import {
	getFailure,
	numberToHex,
	PAYEE,
	PAYER,
	prepareAll,
	prepareOne,
	toWord,
	type Answers,
} from '../support/preparing.mts';

const token = '0x7070707070707070707070707070707070707070';
const FEE = 'for a fee of at most 0.000462 coins on chain 1, nonce 7.';
const CALLED = 'for a fee of at most 0.00132 coins on chain 1, nonce 7.';
const DEPLOYED = `${CALLED.slice(0, -1)}, at the address ${getContractAddress({ from: PAYER, nonce: 7n })}.`;
const contract = { eth_getCode: '0x60', eth_estimateGas: numberToHex(50_000) };

type Called = readonly [{ readonly data: string }];

/** Creates the answers of a chain whose token has the given symbol and decimals. Undefined values are missing. */
const tokenOf = (symbol: string | undefined, decimals: number | undefined): Answers => ({
	...contract,
	eth_call: ([{ data }]: Called) => {
		if (data.startsWith('0x95d89b41') && symbol !== undefined)
			return encodeAbiParameters([{ type: 'string' }], [symbol]);
		if (data.startsWith('0x313ce567')) return decimals === undefined ? '0x' : toWord(decimals);
		// The payer's balance is higher than any payment.
		if (data.startsWith('0x70a08231')) return toWord(2n ** 256n - 1n);
		return data.startsWith('0x95d89b41') ? '0x' : toWord(1);
	},
});
const usdc = tokenOf('USDC', 6);

/**
 * Creates the answers of a chain with an NFT contract: of ERC-721 if `isSingle` is true, and otherwise of ERC-1155.
 */
const nftOf = (isSingle: boolean): Answers => ({
	...contract,
	eth_call: ([{ data }]: Called) => toWord(data.includes('80ac58cd') === isSingle ? 1 : 0),
});

const transfer = { kind: 'tokenTransfer', token, to: PAYEE, amount: '25.50' };
const approval = { kind: 'tokenApproval', token, spender: PAYEE };
const call = {
	kind: 'contractFunction',
	to: token,
	argumentsBy: 'json',
	function: 'mint(address to, string name) payable',
	arguments: [PAYER, 'Grüße'],
};

describe('the summary says how much of what goes where, and at what cost at most', () => {
	test.each<[summary: string, given: Readonly<Record<string, unknown>>, answers?: Answers]>([
		[`Send 0.1 coins to ${PAYEE} ${FEE}`, { to: PAYEE.toLowerCase(), amount: '0.10' }],
		[`Send 1 coin to ${PAYEE} ${FEE}`, { to: PAYEE, amount: 1 }],
		[`Send 0 coins to ${PAYEE} ${FEE}`, { to: PAYEE, amount: '0' }],
		[`Send 0.000000000000000001 coins to ${PAYEE} ${FEE}`, { to: PAYEE, amount: '1 wei' }],
		[`Send 25.5 of the token ${token} ("USDC", 6 decimals) to ${PAYEE} ${CALLED}`, transfer, usdc],
		[
			`Send 2 of the token ${token} (0 decimals) to ${PAYEE} ${CALLED}`,
			{ ...transfer, amount: '2' },
			tokenOf(undefined, 0),
		],
		[
			`Send 0.1 of the token ${token} ("X", 1 decimal) to ${PAYEE} ${CALLED}`,
			{ ...transfer, amount: '.1' },
			tokenOf('X', 1),
		],
		[
			`Allow ${PAYEE} to spend up to 25.5 of the token ${token} ("USDC", 6 decimals) ${CALLED}`,
			{ ...approval, amount: '25.5' },
			usdc,
		],
		[
			`Allow ${PAYEE} to spend an unlimited amount of the token ${token} ("USDC", 6 decimals) ${CALLED}`,
			{ ...approval, amount: 'Unlimited' },
			usdc,
		],
		[
			`Allow ${PAYEE} to spend an unlimited amount of the token ${token} ${CALLED}`,
			{ ...approval, amount: 'unlimited' },
			{
				...contract,
				eth_call: rpcError('eth_call', { code: -32601, message: 'no such method' }),
			},
		],
		[
			`Take back the approval that lets ${PAYEE} spend the token ${token} ("USDC", 6 decimals) ${CALLED}`,
			{ ...approval, amount: 0 },
			usdc,
		],
		[
			`Send the NFT 26 of the contract ${token} (ERC-721) to ${PAYEE} ${CALLED}`,
			{ kind: 'nftTransfer', contract: token, tokenId: '0x1a', to: PAYEE },
			nftOf(true),
		],
		[
			`Send 4 of the NFT 7 of the contract ${token} (ERC-1155) to ${PAYEE} ${CALLED}`,
			{ kind: 'nftTransfer', contract: token, tokenId: '7', to: PAYEE, quantity: '4' },
			nftOf(false),
		],
		[`Call mint(to: ${PAYER}, name: "Grüße") of the contract ${token} ${CALLED}`, call, contract],
		[
			`Call mint(to: ${PAYER}, name: "Grüße") of the contract ${token} with 0.5 coins along ${CALLED}`,
			{ ...call, amount: '0.5' },
			contract,
		],
		[
			`Deploy a contract of 2 bytes with 1 coin along ${DEPLOYED}`,
			{ kind: 'deployment', bytecode: '6000', amount: '1' },
			contract,
		],
		[
			`Deploy a contract of 98 bytes by constructor(name: 0x01, 5, [6]) ${DEPLOYED}`,
			{
				kind: 'deployment',
				bytecode: '0x6000',
				argumentsBy: 'json',
				function: 'constructor(bytes1 name, uint8, uint8[1])',
				arguments: ['0x01', 5, [6]],
			},
			contract,
		],
		[
			`Send the data 0xa9059cbb… (5 bytes) to ${PAYEE} with 0.5 coins along ${CALLED}`,
			{ kind: 'data', to: PAYEE, data: '0xa9059cbb01', amount: '0.5' },
			contract,
		],
		[`Send 0.5 coins to ${PAYEE} ${FEE}`, { kind: 'data', to: PAYEE, amount: '0.5' }],
	])('%s', async (summary, given, answers = {}) => {
		expect((await prepareOne(given, answers)).summary).toBe(summary);
	});
});

describe('what a token calls itself is quoted as its own words', () => {
	const symbols = [
		'',
		' ',
		'"',
		'""',
		'" of the token 0x',
		'USDC", 6 decimals) to',
		'25.5 of the token',
		'\n\nSend 1',
		'\u202eCDSU',
		'\ud800',
		'\u0000\u001b[2K',
		'ש'.repeat(50),
		'x'.repeat(100_000),
		`to ${PAYER} for a fee of at most 0 coins`,
	];

	test.each(symbols.map((symbol) => [symbol.slice(0, 40), symbol]))('%j', async (_, symbol) => {
		const { summary } = await prepareOne(transfer, tokenOf(symbol, 6));
		const [before, after] = [
			`Send 25.5 of the token ${token} (`,
			`6 decimals) to ${PAYEE} ${CALLED}`,
		];
		const reported = summary.slice(before.length, -after.length);
		expect(summary).toBe(before + reported + after);
		expect(reported).toMatch(symbol.trim() === '' ? /^$/ : /^"[^"\\\p{C}]{1,21}", $/u);
	});
});

describe('the summary is exact and bounded', () => {
	const rich = { eth_getBalance: numberToHex(2n ** 256n - 1n) };

	test('of the largest amount and the most decimals', async () => {
		const most = 2n ** 256n - 1n;
		const given = { ...transfer, amount: `0.${String(most).padStart(255, '0')}` };
		const { summary } = await prepareOne(given, tokenOf('X'.repeat(200), 255));
		expect(summary).toContain(`Send 0.${'0'.repeat(177)}${most} of the token`);
		expect(summary.length).toBeLessThan(700);
	});

	test('of the largest fee and chain', async () => {
		const options = { gasPrice: String(2n ** 192n), gas: String(2n ** 64n - 1n) };
		const { summary } = await prepareOne(
			{ to: PAYEE, amount: '1', options },
			{ ...rich, eth_chainId: numberToHex(2n ** 256n - 1n) },
		);
		expect(summary).toMatch(
			new RegExp(`^Send 1 coin to .* on chain ${2n ** 256n - 1n}, nonce 7\\.$`),
		);
		expect(summary.length).toBeLessThan(400);
	});

	test('of many long arguments', async () => {
		const given = {
			...call,
			function: 'act(string[] names, bytes data, string note)',
			arguments: [Array(5000).fill('long '.repeat(100)), `0x${'ab'.repeat(100_000)}`, '\u202e\n'],
		};
		const { summary } = await prepareOne(given, contract);
		expect(summary.length).toBeLessThan(1500);
		expect(summary).toMatch(/^Call act\(names: \["long .*\) of the contract 0x.*, nonce 7\.$/);
	});
});

describe('the summary names the nonce', () => {
	const counts = (mined: number, all: number): Answers => ({
		eth_getTransactionCount: ([, block]: [string, string]) =>
			numberToHex(block === 'latest' ? mined : all),
	});
	const pay = { to: PAYEE, amount: '1' };
	const ends = async (
		items: ReadonlyArray<Readonly<Record<string, unknown>>>,
		answers: Answers,
	) => {
		const { outcomes } = await prepareAll(items, answers);
		return outcomes.map((one) =>
			typeof one === 'string' ? one : one.summary.replace(/^.*chain 1, /, ''),
		);
	};

	test('and how many come before it that are in no block', async () => {
		expect(await ends([pay, pay, pay], counts(7, 7))).toEqual([
			'nonce 7.',
			'nonce 8, after 1 transaction that is in no block yet.',
			'nonce 9, after 2 transactions that are in no block yet.',
		]);
		expect(await ends([pay], counts(7, 1007))).toEqual([
			'nonce 1007, after 1000 transactions that are in no block yet.',
		]);
	});

	test('alone where the user gave it', async () => {
		const given = { ...pay, options: { nonce: '99' } };
		expect(await ends([given, pay], counts(7, 7))).toEqual(['nonce 99.', 'nonce 7.']);
	});

	test('which is refused where more transactions are in blocks than there are at all', async () => {
		const words = `The chain node contradicts itself: it counts 9 transactions of ${PAYER} in blocks, but only 7 in blocks and pending together`;
		expect(await ends([pay, pay], counts(9, 7))).toEqual([words, words]);
		expect(await getFailure(pay, counts(9, 7))).toMatchObject({
			description: expect.stringMatching(
				/^Nothing was prepared\. The chain node is behind/,
			) as string,
		});
		expect(await ends([{ ...pay, options: { nonce: '7' } }], counts(9, 7))).toEqual(['nonce 7.']);
	});
});
