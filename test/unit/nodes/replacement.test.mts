import fc from 'fast-check';
import { keccak256, parseTransaction, serializeTransaction, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { PAYEE, getRefusal, numberToHex, prepareOne } from '../support/preparing.mts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const GWEI = 10n ** 9n;
const BLOCK = '0x10';
const ACCESS_LIST = [{ address: PAYEE, storageKeys: [`0x${'05'.repeat(32)}`] }] as const;

type Price =
	| { readonly type: 'legacy' | 'eip2930'; readonly gasPrice: bigint }
	| {
			readonly type: 'eip1559';
			readonly maxFeePerGas: bigint;
			readonly maxPriorityFeePerGas: bigint;
	  };

interface Sent {
	readonly hash: Hex;
	/** The answer of a node that knows the transaction. */
	readonly answer: Record<string, unknown>;
}

const BASE = { chainId: 1, nonce: 3, gas: 60_000n, value: 5n, data: '0xabcd', to: PAYEE } as const;
const TYPE_NUMBERS = { legacy: 0, eip2930: 1, eip1559: 2 } as const;

/** Signs a transaction with viem, and formats it as a node shows it. */
async function send(price: Price, more: object = {}): Promise<Sent> {
	const list = price.type === 'legacy' ? {} : { accessList: ACCESS_LIST };
	const signed = await account.signTransaction({ ...BASE, ...list, ...price, ...more } as never);
	const { type, data, ...parsed } = parseTransaction(signed) as unknown as Record<string, unknown>;
	const shown = Object.entries(parsed).map(([name, value]) => [
		name,
		typeof value === 'bigint' || typeof value === 'number' ? numberToHex(value) : value,
	]);
	return {
		hash: keccak256(signed),
		answer: {
			value: '0x0',
			nonce: '0x0',
			gasPrice: '0x0',
			...(price.type === 'eip1559' && { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }),
			...Object.fromEntries(shown),
			type: numberToHex(TYPE_NUMBERS[type as Price['type']]),
			input: data ?? '0x',
			hash: keccak256(signed),
			from: account.address,
			blockNumber: null,
		},
	};
}

const nodeWith = ({ answer }: Sent, more: object = {}) => ({
	eth_getTransactionByHash: answer,
	eth_getTransactionReceipt: null,
	eth_getTransactionCount: '0x3',
	...more,
});

const replace = ({ hash }: Sent, more: object = {}) => ({
	from: account.address,
	kind: 'replacement',
	transactionHash: hash,
	...more,
});

const LEGACY: Price = { type: 'legacy', gasPrice: 8n * GWEI };
const DYNAMIC: Price = { type: 'eip1559', maxFeePerGas: 30n * GWEI, maxPriorityFeePerGas: GWEI };

/** Random fees of any size, most of them small. */
const fee = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 100n * GWEI));
const prices: fc.Arbitrary<Price> = fc.oneof(
	fc
		.tuple(fc.constantFrom('legacy' as const, 'eip2930' as const), fee)
		.map(([type, gasPrice]) => ({ type, gasPrice })),
	fc.tuple(fee, fee).map(([tip, rest]) => ({
		type: 'eip1559' as const,
		maxFeePerGas: tip + rest,
		maxPriorityFeePerGas: tip,
	})),
);

const isRaised = (old: bigint, raised: bigint) => raised * 1000n >= old * 1125n && raised > old;

test('the same goes again with its nonce, kind and access list, each fee raised and not below what is paid today', async () => {
	await fc.assert(
		fc.asyncProperty(prices, fc.constantFrom('slow', 'normal', 'fast'), async (price, speed) => {
			const sent = await send(price);
			const made = await prepareOne(replace(sent, { speed }), nodeWith(sent));
			const now = parseTransaction(made.unsignedTransaction as Hex);
			const list = price.type === 'legacy' ? {} : { accessList: ACCESS_LIST };
			expect(now).toMatchObject({ ...BASE, to: PAYEE.toLowerCase(), type: price.type });
			expect(JSON.stringify(now.accessList ?? []).toLowerCase()).toBe(
				JSON.stringify(list.accessList ?? []).toLowerCase(),
			);
			expect(serializeTransaction(now as never)).toBe(made.unsignedTransaction);
			expect(keccak256(made.unsignedTransaction as Hex)).toBe(made.signingHash);
			const tip = { slow: GWEI, normal: 2n * GWEI, fast: 3n * GWEI }[speed] ?? 0n;
			if ('gasPrice' in price) {
				expect(isRaised(price.gasPrice, now.gasPrice ?? 0n)).toBe(true);
				expect(now.gasPrice).toBeGreaterThanOrEqual(10n * GWEI + tip);
			} else {
				expect(isRaised(price.maxFeePerGas, now.maxFeePerGas ?? 0n)).toBe(true);
				expect(isRaised(price.maxPriorityFeePerGas, now.maxPriorityFeePerGas ?? 0n)).toBe(true);
				expect(now.maxFeePerGas).toBeGreaterThanOrEqual(20n * GWEI + tip);
				expect(now.maxPriorityFeePerGas).toBeGreaterThanOrEqual(tip);
			}
		}),
		{ numRuns: 60 },
	);
});

test.each([LEGACY, DYNAMIC, { type: 'eip2930', gasPrice: GWEI } as const])(
	'a cancel sends nothing to oneself with the same nonce: %o',
	async (price) => {
		const sent = await send(price);
		const made = await prepareOne(replace(sent, { replaceBy: 'cancel' }), nodeWith(sent));
		const { accessList, ...now } = parseTransaction(made.unsignedTransaction as Hex);
		expect(now).toMatchObject({ type: price.type, nonce: 3, gas: 21_000n, chainId: 1 });
		expect([now.to, now.value ?? 0n, now.data ?? '0x', accessList ?? []]).toEqual([
			account.address.toLowerCase(),
			0n,
			'0x',
			[],
		]);
		expect(made.summary).toMatch(/^Send nothing to 0x\w+ itself, which cancels the transaction 0x/);
	},
);

test('a deployment is replaced at the address that it had', async () => {
	const sent = await send(DYNAMIC, { to: undefined });
	const made = await prepareOne(replace(sent), nodeWith(sent));
	expect(made.transaction).not.toHaveProperty('to');
	expect(made.contractAddress).toMatch(/^0x/);
});

describe('is refused', () => {
	test.each<[what: string, node: object, words: RegExp]>([
		['what is mined', { answer: { blockNumber: BLOCK } }, /is in block 16 already$/],
		[
			'what has a receipt',
			{ eth_getTransactionReceipt: { blockNumber: BLOCK } },
			/in block 16 alr/,
		],
		[
			'what is unknown',
			{ eth_getTransactionByHash: null },
			/^The chain node does not know the transaction/,
		],
		[
			'what lost to another',
			{ eth_getTransactionCount: '0x4' },
			/number \(nonce\) 3 is in a block already$/,
		],
		['what is of another account', { answer: { from: PAYEE } }, /was sent by another account: 0x/],
		[
			'another value',
			{ answer: { value: '0x6' } },
			/^The chain node answered with another transaction/,
		],
		['another receiver', { answer: { to: account.address } }, /with another transaction/],
		['another nonce', { answer: { nonce: '0x4' } }, /with another transaction/],
		['no list', { answer: { accessList: 'all' } }, /'accessList' in its form$/],
		['half a byte', { answer: { input: '0xabc' } }, /'input' in its form$/],
		['a fee without a number', { answer: { maxFeePerGas: 'x' } }, /'maxFeePerGas' is a number$/],
		['blobs', { answer: { type: '0x3' } }, /^A transaction of type 3 cannot be replaced here/],
		[
			'another chain',
			{ eth_chainId: '0x2' },
			/is not for chain 2, to which the chain node belongs$/,
		],
		['too little on the account', { eth_getBalance: '0x5' }, / [\d.]+ coins .* 0\.0+5 coins /],
	])('%s', async (_, { answer, ...more }: { answer?: object }, words) => {
		const sent = await send(DYNAMIC);
		const node = nodeWith({ ...sent, answer: { ...sent.answer, ...answer } }, more);
		expect(await getRefusal(replace(sent), node)).toMatch(words);
	});

	test.each<[options: object, price: Price, words: RegExp]>([
		[{ nonce: '3' }, DYNAMIC, /^'Options > Nonce' must be removed when 'Kind' is Replacement$/],
		[{ gas: '50000' }, DYNAMIC, /^'Options > Gas' must be removed/],
		[{ expectDecimals: '6' }, DYNAMIC, /^'Options > Expect Decimals' must be removed/],
		[{ gasPrice: '90 gwei' }, DYNAMIC, /^'Options > Max Fee Per Gas' must be used for the fee/],
		[{ maxFeePerGas: '90 gwei' }, LEGACY, /^'Options > Gas Price' must be used for the fee/],
		[
			{ gasPrice: '8999999999 wei' },
			LEGACY,
			/'Options > Gas Price' must be at least 9000000000 wei/,
		],
		[{ maxFeePerGas: '33 gwei' }, DYNAMIC, /must be at least 33750000000 wei/],
		[{ maxPriorityFeePerGas: '1 gwei' }, DYNAMIC, /must be at least 1125000000 wei/],
		[{ expectChainId: '5' }, DYNAMIC, /chain 5 is expected$/],
	])('with the options %j', async (options, price, words) => {
		const sent = await send(price);
		expect(await getRefusal(replace(sent, { options }), nodeWith(sent))).toMatch(words);
	});

	test('a transaction that is valid on every chain', async () => {
		const sent = await send(LEGACY);
		const answer = { ...sent.answer, v: '0x1b' };
		expect(await getRefusal(replace(sent), nodeWith({ ...sent, answer }))).toMatch(
			/on every chain/,
		);
	});
});

test('fees of the options are not exceeded, and the highest ends as that of the replaced one', async () => {
	const sent = await send(DYNAMIC);
	const options = { maxFeePerGas: '50 gwei', maxPriorityFeePerGas: '4 gwei' };
	const { transaction } = await prepareOne(replace(sent, { options }), nodeWith(sent));
	const highest = BigInt(String(transaction.maxFeePerGas));
	expect(highest).toBeLessThanOrEqual(50n * GWEI);
	expect(highest).toBeGreaterThan(50n * GWEI - 2n ** 25n);
	// Chain Pay writes a mark into the last 25 bits of the highest gas price, to find its payment again. A replacement
	// must keep these bits.
	expect((highest - 30n * GWEI) % 2n ** 25n).toBe(0n);
	expect(transaction.maxPriorityFeePerGas).toBe(numberToHex(4n * GWEI));
});
