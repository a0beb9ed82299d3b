import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { getCaseCount } from '../../harness/caseCount.mts';
import {
	numberToHex,
	HONEST_ANSWERS,
	PAYEE,
	PAYER,
	prepareAll,
	prepareOne,
	getRefusal,
	toWord,
	type Answers,
	type Prepared,
} from '../support/preparing.mts';

const ITEMS = getCaseCount(10_000);
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
const ZERO = `0x${'0'.repeat(40)}`;
const token = `0x${'70'.repeat(20)}`;
const coin = { to: PAYEE, amount: '1' };
const contract = { eth_getCode: '0x60', eth_estimateGas: numberToHex(50_000) };

const numberOf = (made: Prepared, name: string) => BigInt(made.transaction[name] ?? -1);
const nonces = (outcomes: ReadonlyArray<Prepared | string>) =>
	outcomes.map((one) => (typeof one === 'string' ? one : Number(one.transaction.nonce)));
const refusal = (message: string, code = -32000) => rpcError('eth_x', { code, message });

describe('funds of an account that pays several times in a run', () => {
	/** The fee of a transfer: 21,000 gas at a price of 22 gwei. */
	const FEE = 462_000n * GWEI;
	const worth = (payments: bigint) => ({ eth_getBalance: numberToHex(payments * (ETHER + FEE)) });

	test('have to cover them all: the first that they do not cover is reported, with its place', async () => {
		const { outcomes, failures } = await prepareAll(
			Array.from({ length: 5 }, () => coin),
			worth(3n),
		);
		expect(failures[0]).toMatchObject({ description: expect.stringContaining(PAYER) as string });
		expect(nonces(outcomes)).toEqual([
			7,
			8,
			9,
			expect.stringMatching(/ 3 .* 4\.001848 coins .* 3\.001386 coins /),
			expect.stringMatching(/ 3 .* 4\.001848 coins .* 3\.001386 coins /),
		]);
	});

	test('are not touched by what fails, so that a smaller payment after it may fit', async () => {
		const of = ['1', 'many', '5', '0.5', '0.4'].map((amount) => ({ ...coin, amount }));
		const { outcomes } = await prepareAll(of, { eth_getBalance: numberToHex(2n * ETHER) });
		expect(nonces(outcomes)).toEqual([
			7,
			expect.stringMatching(/^'Amount' must be/),
			expect.stringMatching(/ 5 coins .* 2 coins /),
			8,
			9,
		]);
	});

	test('are those of one account, however it is spelt, at one path', async () => {
		const [other, lower] = [{ from: PAYEE }, { from: PAYER.toLowerCase() }];
		const of = [{}, other, lower, other, { path: '/other' }].map((one) => ({ ...coin, ...one }));
		const { outcomes } = await prepareAll(of, worth(1n));
		const short = expect.stringContaining('with the transaction before it') as string;
		expect(nonces(outcomes)).toEqual([7, 7, short, short, 7]);
	});

	test('with the option Gas are not looked at, but what is taken so is missing after it', async () => {
		const fixed = { ...coin, options: { gas: '21000' } };
		const { outcomes } = await prepareAll([fixed, fixed, coin], worth(1n));
		expect(nonces(outcomes)).toEqual([7, 8, expect.stringContaining('with the 2 transactions')]);
	});

	test('with a nonce of its own are looked at for itself: it may replace another', async () => {
		const replacing = { ...coin, options: { nonce: '3' } };
		const { outcomes } = await prepareAll([coin, replacing, replacing], worth(1n));
		expect(nonces(outcomes)).toEqual([7, 3, 3]);
		const { outcomes: poor } = await prepareAll([replacing], {
			eth_getBalance: numberToHex(ETHER),
		});
		expect(poor).toEqual([expect.stringMatching(/ 1\.000462 coins .* 1 coins /)]);
	});

	test('that hold exactly what is needed suffice', async () => {
		const { outcomes } = await prepareAll([coin, coin], worth(2n));
		expect(nonces(outcomes)).toEqual([7, 8]);
	});
});

describe('nonsense of a node is reported as such', () => {
	test.each<[what: string, answers: Answers, words: RegExp]>([
		['a chain that is a name', { eth_chainId: 'mainnet' }, /with a chain ID$/],
		['a chain of no number', { eth_chainId: '0x0' }, /with a chain ID$/],
		['no nonce', { eth_getTransactionCount: null }, /with a transaction count$/],
		[
			'a nonce that no account has',
			{ eth_getTransactionCount: numberToHex(2n ** 64n - 1n) },
			/with a transaction count$/,
		],
		['no balance', { eth_getBalance: {} }, /with a balance$/],
		['no code', { eth_getCode: null }, /with code as 0x-hex$/],
		['no estimate', { eth_estimateGas: 'much' }, /with an amount of gas$/],
		['an estimate of nothing', { ...contract, eth_estimateGas: '0x0' }, /with an amount of gas$/],
		[
			'a fee history of a size that nothing holds',
			{ eth_feeHistory: { baseFeePerGas: [toWord(2n ** 255n)], reward: [['0x1', '0x1', '0x1']] } },
			/with fees that a transaction can hold$/,
		],
		['a gas price that is none', { eth_gasPrice: null }, /with a gas price$/],
	])('%s', async (_, answers, words) => {
		expect(await getRefusal({ ...coin, kind: 'data' }, answers)).toMatch(words);
	});

	test('an empty fee history is made up for by the latest block', async () => {
		const empty = { baseFeePerGas: [], gasUsedRatio: [], reward: [] };
		const made = await prepareOne(coin, {
			eth_feeHistory: empty,
			eth_maxPriorityFeePerGas: '0x5',
		});
		expect(numberOf(made, 'maxFeePerGas')).toBe(20n * GWEI + 5n);
	});

	test('absurd fees are named in coins before anything is signed', async () => {
		const absurd = {
			baseFeePerGas: [numberToHex(GWEI)],
			gasUsedRatio: [1],
			reward: [[0, 1, 2].map(() => numberToHex(10n ** 30n))],
		};
		expect(await getRefusal(coin, { eth_feeHistory: absurd })).toMatch(/ \d+\.\d+ coins .* coins /);
	});

	test('the tip that is fixed needs no advice of the node', async () => {
		const made = await prepareOne(
			{ ...coin, options: { maxPriorityFeePerGas: '3' } },
			{
				eth_feeHistory: refusal('unknown'),
				eth_gasPrice: '0x1',
				eth_maxPriorityFeePerGas: refusal('unknown'),
			},
		);
		expect(numberOf(made, 'maxPriorityFeePerGas')).toBe(3n);
	});
});

describe('a chain without a base fee', () => {
	const legacy = {
		eth_getBlockByNumber: { number: '0x1', gasLimit: numberToHex(30_000_000) },
		eth_feeHistory: {
			baseFeePerGas: ['0x0', '0x0'],
			gasUsedRatio: [1],
			reward: [['0x1', '0x1', '0x1']],
		},
	};

	test('gets transactions of the kind before, also where its fee history returns 0', async () => {
		const made = await prepareOne(coin, legacy);
		expect(made.transaction).toMatchObject({ type: '0x0', gasPrice: numberToHex(11n * GWEI) });
	});

	test('is another one than a chain whose base fee is 0', async () => {
		const free = { ...legacy, eth_getBlockByNumber: { number: '0x1', baseFeePerGas: '0x0' } };
		const made = await prepareOne(coin, free);
		expect(made.transaction).toMatchObject({ type: '0x2', maxFeePerGas: '0x1' });
	});
});

describe('gas', () => {
	const gasOf = async (given: object, answers: Answers) =>
		Number(numberOf(await prepareOne({ ...coin, ...given }, answers), 'gas'));

	test.each([
		['as it is', 21_000, 21_000],
		['as servers that halve find it', 21_001, 21_000],
		['on a rollup that takes more for its data', 150_000, 180_000],
	])('of a plain transfer, %s', async (_, estimate, gas) => {
		expect(await gasOf({}, { eth_estimateGas: numberToHex(estimate) })).toBe(gas);
	});

	test('of a transfer to a contract, or an account that runs the code of one, has the buffer', async () => {
		const delegated = `0xef0100${'ab'.repeat(20)}`;
		for (const eth_getCode of ['0x60', delegated])
			expect(await gasOf({}, { eth_getCode })).toBe(25_200);
	});

	test.each([
		['the block holds', 29_000_000, 30_000_000],
		['a transaction may use on most chains', 16_000_000, 2 ** 24],
		['where more is needed anyway, the block holds', 20_000_000, 24_000_000],
	])('is no more with its buffer than %s', async (_, estimate, gas) => {
		expect(await gasOf({}, { ...contract, eth_estimateGas: numberToHex(estimate) })).toBe(gas);
	});

	test('that no block holds is refused', async () => {
		const answers = { ...contract, eth_estimateGas: numberToHex(30_000_001) };
		expect(await getRefusal(coin, answers)).toBe(
			'The transaction would fit into no block: it needs 30000001 gas, a block holds 30000000',
		);
	});

	test.each([null, {}, { number: '0x1', gasLimit: '0x0' }, refusal('unknown')])(
		'is not bounded where the node does not return how much a block holds: %j',
		async (eth_getBlockByNumber) => {
			const answers = {
				...contract,
				eth_getBlockByNumber,
				eth_estimateGas: numberToHex(40_000_000),
			};
			expect(await gasOf({}, answers)).toBe(48_000_000);
		},
	);

	test('that is given is at most what a transaction can say', async () => {
		const options = { gas: String(2n ** 64n) };
		expect(await getRefusal({ ...coin, options })).toMatch(
			/^'Options > Gas' must be a number of at most 18446744073709551615/,
		);
		const nonce = { nonce: String(2n ** 64n - 1n) };
		expect(await getRefusal({ ...coin, options: nonce })).toMatch(
			/^'Options > Nonce' must be a number of at most 18446744073709551614/,
		);
	});
});

describe('what would fail', () => {
	const call = { kind: 'contractFunction', to: PAYEE, function: 'f()', argumentFields: {} };

	test.each([
		['reverts', rpcError('eth_estimateGas', { code: 3, message: 'execution reverted: no' })],
		['needs more than there is', refusal('gas required exceeds allowance (20000)')],
		['is too long', refusal('max initcode size exceeded')],
	])('is reported as that: it %s', async (_, failure) => {
		const answers = { ...contract, eth_estimateGas: failure };
		expect(await getRefusal(call, answers)).toMatch(/^The transaction would fail: /);
	});

	test.each([
		['the node does not estimate', refusal('the method eth_estimateGas does not exist', -32601)],
		['the node takes no such call', refusal('invalid argument 0', -32602)],
		['the node answers nonsense', new RequestFailure('It answered {}', { maybeExecuted: true })],
		['the node is away', new RequestFailure('gone', { retry: { because: 'lost' } })],
		['the credential is refused', new RequestFailure('no', { httpCode: 401 })],
	])('is not what is reported where %s', async (_, eth_estimateGas) => {
		expect(await getRefusal(call, { ...contract, eth_estimateGas })).toBe(eth_estimateGas.message);
	});

	test('is a token that returns false, and nothing is prepared where that cannot be found out', async () => {
		const paying = { ...coin, kind: 'tokenApproval', token, spender: PAYEE, amount: 'unlimited' };
		const learning = (eth_call: unknown) => ({ ...contract, eth_call });
		expect(await getRefusal(paying, learning(toWord(0)))).toMatch(/the token returns false$/);
		for (const fine of [toWord(1), '0x', refusal('no such method', -32601)])
			expect((await prepareOne(paying, learning(fine))).transaction.to).toMatch(/^0x70/);
		const gone = new RequestFailure('gone', { retry: { because: 'lost' } });
		expect(await getRefusal(paying, learning(gone))).toBe('gone');
	});
});

describe('what nobody means is refused before anything is asked', () => {
	const payment = { kind: 'tokenTransfer', token, to: PAYEE, amount: '1' };
	const UNPAYABLE = JSON.stringify([
		{ type: 'function', name: 'close', inputs: [], outputs: [], stateMutability: 'nonpayable' },
	]);

	test.each<[given: object, words: RegExp]>([
		[
			{ kind: 'data', to: ZERO, amount: '1' },
			/^'Contract' must be another address than the zero address/,
		],
		[
			{ kind: 'contractFunction', to: ZERO, function: 'f()' },
			/^'Contract' must be another address than the zero address/,
		],
		[{ ...coin, kind: 'gift' }, /^'Kind' must be one of authorization, coinTransfer, /],
		[{ ...coin, speed: 'warp' }, /^'Speed' must be one of /],
		[{ ...coin, from: [PAYER] }, /^'From' must be an address/],
		[{ ...coin, to: { address: PAYEE } }, /^'To' must be an address/],
		[{ ...coin, to: `\u200b${PAYEE}` }, /^'To' must be an address/],
		[{ ...coin, to: PAYEE.replace('0x', '0х') }, /^'To' must be an address/],
		[{ ...coin, to: `${PAYEE}, ${PAYER}` }, /^'To' must be an address/],
		[{ ...coin, to: 'vault.example.eth' }, /^'To' must be an address/],
		[{ ...coin, amount: '0xff' }, /^'Amount' must be an amount of 0 or more, in whole coins/],
		[{ ...coin, amount: 2 ** 70 }, /^'Amount' must be given as text/],
		[{ ...coin, amount: NaN }, /^'Amount' must be/],
		[{ ...coin, amount: ['1'] }, /^'Amount' must be/],
		[{ ...coin, amount: true }, /^'Amount' must be/],
		[{ ...coin, options: { nonce: -1 } }, /^'Options > Nonce' must be/],
		[{ ...coin, options: { nonce: 1.5 } }, /^'Options > Nonce' must be/],
		[{ ...coin, options: { gas: 1e21 } }, /^'Options > Gas' must be/],
		[{ ...coin, options: { gasBuffer: -1 } }, /^'Options > Gas Buffer' must be/],
		[
			{ kind: 'nftTransfer', contract: token, to: PAYEE, tokenId: 1e21 },
			/^'Token ID' must be given as text/,
		],
		[
			{ kind: 'nftTransfer', contract: token, to: PAYEE, tokenId: [7] },
			/^'Token ID' must be a whole number/,
		],
		[{ ...coin, amount: '' }, /^'Amount' is required/],
		[{ ...coin, amount: '-1' }, /^'Amount' must be/],
		[{ ...coin, amount: '1e18' }, /^'Amount' must be/],
		[{ ...coin, amount: '0.0000000000000000001' }, /^'Amount' must be .*18 decimals/],
		[{ ...coin, amount: 0.1 + 0.2 }, /^'Amount' must be given as text/],
		[{ ...coin, amount: String(2n ** 256n) }, /^'Amount' must be/],
		[{ ...coin, amount: 'unlimited' }, /^'Amount' must be/],
		[{ ...payment, amount: 'unlimited' }, /^'Amount' must be/],
		[{ ...coin, to: ZERO }, /^'To' must be another address than the zero address/],
		[{ ...coin, to: `0x${'aB'.repeat(20)}` }, /^'To' must be an address whose upper and lower/],
		[{ ...payment, to: token }, /^'To' must be another address than the token's own contract/],
		[{ kind: 'tokenApproval', token, spender: ZERO, amount: '1' }, /^'Spender' must be/],
		[{ kind: 'nftTransfer', contract: token, to: PAYEE, tokenId: '-7' }, /^'Token ID' must be/],
		[
			{ kind: 'nftTransfer', contract: token, to: PAYEE, tokenId: '7', quantity: '0' },
			/^'Quantity' must be/,
		],
		[
			{ kind: 'contractFunction', to: token, function: UNPAYABLE, amount: '1' },
			/^'Amount' must be 0: the function close takes no coins/,
		],
		[{ kind: 'deployment', bytecode: '' }, /^'Bytecode' is required/],
		[{ kind: 'deployment', bytecode: '0x606' }, /^'Bytecode' must be whole bytes/],
		[
			{ kind: 'deployment', bytecode: `0x60__$${'ab'.repeat(17)}$__60` },
			/^'Bytecode' must be linked/,
		],
		[
			{ kind: 'deployment', bytecode: '0x6060', argumentsBy: 'json', arguments: '[1]' },
			/^'Arguments' must be empty/,
		],
		[
			{ ...coin, options: { maxFeePerGas: '1', maxPriorityFeePerGas: '2' } },
			/Max Priority Fee Per Gas' must be at most/,
		],
		[{ ...coin, options: { maxFeePerGas: '1', gasPrice: '2' } }, /Gas Price' must be empty/],
		[{ ...coin, options: { gas: '0' } }, /Gas' must be 1 or more/],
		[{ kind: 'deployment', bytecode: { object: '60' } }, /^'Bytecode' must be/],
	])('%#: %j', async (given, words) => {
		const { outcomes, asked } = await prepareAll([given as Record<string, unknown>]);
		expect(outcomes).toEqual([expect.stringMatching(words)]);
		expect(asked).toEqual([]);
	});
});

test('an address or data that begins with 0X comes out as chains read it', async () => {
	const upper = (text: string) => text.toLowerCase().replace('0x', '0X');
	const { transaction } = await prepareOne(
		{ kind: 'data', from: upper(PAYER), to: upper(PAYEE), data: '0XABcd' },
		{
			eth_estimateGas: ([{ from, to, data }]: [Record<string, string>]) => {
				expect([from, to, data]).toEqual([PAYER.toLowerCase(), PAYEE.toLowerCase(), '0xABcd']);
				return numberToHex(30_000);
			},
		},
	);
	expect(transaction).toMatchObject({ from: PAYER, to: PAYEE, data: '0xABcd' });
});

test('numbers that JavaScript writes with an exponent are amounts', async () => {
	const { transaction } = await prepareOne({ ...coin, amount: 5e-7 });
	expect(transaction.value).toBe(numberToHex(500_000_000_000n));
	const rich = { eth_getBalance: numberToHex(10n ** 50n) };
	expect((await prepareOne({ ...coin, amount: 1e21 }, rich)).transaction.value).toBe(
		numberToHex(10n ** 39n),
	);
});

test('all that an item asks of the chain, it asks at once', async () => {
	const { asked } = await prepareAll([coin]);
	const once = Object.keys(HONEST_ANSWERS).filter((one) => one !== 'eth_call');
	expect(asked.sort()).toEqual([...once, 'eth_getTransactionCount'].sort());
});

test(`${ITEMS} items of accounts in mixed spellings get nonces in their order, without a gap`, async () => {
	const froms = [PAYER, PAYER.toLowerCase(), PAYEE, `0x${PAYEE.slice(2).toUpperCase()}`];
	const items = Array.from({ length: ITEMS }, (_, item) => ({
		...coin,
		from: froms[item % 4],
		amount: item % 7 === 0 ? 'x' : 1e-7,
		...(item % 11 === 0 && { options: { nonce: '3', gas: '21000' } }),
	}));
	const { outcomes } = await prepareAll(items);
	const next = [7, 7];
	const wanted = items.map(({ amount, options }, item) => {
		if (amount === 'x') return expect.stringMatching(/^'Amount' must be/) as string;
		const account = item % 4 < 2 ? 0 : 1;
		const nonce = next[account] ?? 0;
		if (options) return 3;
		next[account] = nonce + 1;
		return nonce;
	});
	expect(nonces(outcomes)).toEqual(wanted);
});

test('each item may be of a kind of its own', async () => {
	const of = [
		coin,
		{ kind: 'data', to: PAYEE, data: '0x01' },
		{ kind: 'deployment', bytecode: '0x6000' },
		{ kind: 'tokenApproval', token, spender: PAYEE, amount: 'unlimited' },
	];
	const { outcomes } = await prepareAll(of, contract);
	expect(nonces(outcomes)).toEqual([7, 8, 9, 10]);
});
