import fc from 'fast-check';
import { parseTransaction, serializeTransaction, type Hex } from 'viem';
import { carriesMark, isSameMark, makeMark } from '../../../nodes/core/chain/mark';
import { addMark, keepMark, readMark } from '../../../nodes/core/evm/mark';
import { readMarkedPayment } from '../../../nodes/core/evm/markedPayment';
import { isSamePayment, readPaymentEffects } from '../../../nodes/core/evm/otherTransaction';
import { decodeSignedTransaction } from '../../../nodes/core/evm/transactions/signed';
import type { GasPrice } from '../../../nodes/core/evm/transactions/unsigned';
import { createShared } from '../../../nodes/core/net/pacing/shared';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261128), numRuns: getCaseCount(300) });

const anyId = fc.string({ minLength: 1 });
/** Random gas prices in wei, from 0 to very high prices. */
const anyWei = fc
	.tuple(fc.integer({ min: 0, max: 60 }), fc.bigInt({ min: 0n, max: 2n ** 60n }))
	.map(([shift, wei]) => wei >> BigInt(shift));
const anyPrice: fc.Arbitrary<GasPrice> = fc.oneof(
	anyWei.map((gasPrice) => ({ gasPrice })),
	fc.tuple(anyWei, anyWei).map(([one, other]) => ({
		maxFeePerGas: one > other ? one : other,
		maxPriorityFeePerGas: one > other ? other : one,
	})),
);
const anyPurchase = fc.record({
	gas: fc.bigInt({ min: 21_000n, max: 1_000_000n }),
	price: anyPrice,
});
const getHighest = (price: GasPrice) => ('gasPrice' in price ? price.gasPrice : price.maxFeePerGas);
const read = ({ gas, price }: { gas: bigint; price: GasPrice }) =>
	readMark({ gas, price: getHighest(price) });

test('equal IDs make equal marks, other families and no ID others', () => {
	fc.assert(
		fc.property(anyId, (id) => {
			expect(makeMark('evm', id)).toEqual(makeMark('evm', id));
			expect(makeMark('evm', id)).not.toEqual(makeMark('stark', id));
		}),
	);
	expect(makeMark('evm', '')).not.toEqual(makeMark('evm', ''));
});

test('what is bought rises by a little, and carries the mark whatever the fees are', () => {
	fc.assert(
		fc.property(anyId, anyPurchase, anyPurchase, (id, one, other) => {
			const mark = makeMark('evm', id);
			const marked = addMark(one, mark.value);
			const isFree = getHighest(one.price) === 0n;
			const [moreGas, morePrice] = [
				marked.gas - one.gas,
				getHighest(marked.price) - getHighest(one.price),
			];
			expect(moreGas).toBeGreaterThanOrEqual(0n);
			expect(moreGas).toBeLessThan(isFree ? 2n ** 20n : 1024n);
			expect(morePrice).toBeGreaterThanOrEqual(0n);
			const most = getHighest(marked.price) / 512n;
			expect(morePrice).toBeLessThanOrEqual(isFree ? 0n : most > 2n ** 20n ? most : 2n ** 20n);
			if ('maxPriorityFeePerGas' in marked.price && 'maxPriorityFeePerGas' in one.price) {
				expect(marked.price.maxPriorityFeePerGas).toBe(one.price.maxPriorityFeePerGas);
			}
			expect(carriesMark(read(marked), mark)).toBe(true);
			expect(isSameMark(read(marked), read(addMark(other, mark.value)))).toBe(true);
		}),
	);
});

test('other IDs buy something else, and do not carry the mark', () => {
	fc.assert(
		fc.property(anyId, anyId, anyPurchase, (id, otherId, purchase) => {
			fc.pre(id !== otherId);
			const [mark, other] = [makeMark('evm', id), makeMark('evm', otherId)];
			const marked = addMark(purchase, other.value);
			expect(marked).not.toEqual(addMark(purchase, mark.value));
			expect(carriesMark(read(marked), mark)).toBe(false);
			expect(carriesMark(read(addMark(purchase, makeMark('evm', '').value)), mark)).toBe(false);
		}),
	);
});

test('a replacement keeps the mark, and exceeds no price that is fixed', () => {
	fc.assert(
		fc.property(anyId, anyPurchase, anyWei, fc.boolean(), (id, purchase, more, isFixed) => {
			const mark = makeMark('evm', id);
			const { gas, price } = addMark(purchase, mark.value);
			const replaced = getHighest(price);
			fc.pre(replaced > 0n);
			const least = (replaced * 9n + 7n) / 8n;
			const wanted = least + more;
			const kept = keepMark(replaced, { least, wanted, fixed: isFixed ? wanted : undefined });
			expect(kept).toBeGreaterThanOrEqual(least);
			if (isFixed) expect(kept).toBeLessThanOrEqual(wanted);
			const isKept = carriesMark(readMark({ gas, price: kept }), mark);
			expect(isKept || (isFixed && kept === wanted)).toBe(true);
		}),
	);
});

const TYPES = ['legacy', 'eip2930', 'eip1559'] as const;
const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);
function toHex(bytes: Uint8Array): Hex {
	return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Signs a transaction with viem, and formats it as a node shows it. */
function write(
	type: (typeof TYPES)[number],
	fields: { to: Hex; value: bigint; data: Hex },
	purchase: { gas: bigint; price: bigint },
) {
	const { gas, price } = purchase;
	const prices =
		type === 'eip1559' ? { maxFeePerGas: price, maxPriorityFeePerGas: 0n } : { gasPrice: price };
	const transaction = { type, chainId: 1, nonce: 7, gas, ...fields, ...prices };
	const signature = { r: toHex(Buffer.alloc(32, 1)), s: toHex(Buffer.alloc(32, 2)), v: 27n };
	const signed = serializeTransaction(transaction as never, { ...signature, yParity: 0 });
	const hex = (value: bigint) => `0x${value.toString(16)}`;
	const shown = Object.entries(prices).map(([name, wei]) => [name, hex(wei)]);
	return {
		signed,
		json: {
			to: fields.to.toUpperCase().replace('0X', '0x'),
			value: hex(fields.value),
			input: fields.data,
			gas: hex(gas),
			...Object.fromEntries(shown),
		},
	};
}

const anyFields = fc.record({
	to: anyAddress,
	value: fc.bigInt({ min: 1n, max: 2n ** 90n }),
	data: fc.uint8Array({ maxLength: 70 }).map(toHex),
});

test('a transaction of another execution is the same payment only with the same effects and the same mark', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...TYPES),
			anyFields,
			anyFields,
			fc.tuple(anyPurchase, anyPurchase),
			(type, fields, others, purchases) => {
				const buy = (index: 0 | 1, id: string) => {
					const { gas, price } = addMark(purchases[index], makeMark('evm', id).value);
					return { gas, price: getHighest(price) };
				};
				const { signed } = write(type, fields, buy(0, 'a'));
				const own = decodeSignedTransaction(signed)!;
				const viem = parseTransaction(signed);
				expect([own.gas, own.price]).toEqual([
					viem.gas ?? 0n,
					viem.maxFeePerGas ?? viem.gasPrice ?? 0n,
				]);
				const isSame = (json: object) => isSamePayment(own, readPaymentEffects(json as never)!);
				expect(isSame(write(type, fields, buy(1, 'a')).json)).toBe(true);
				expect(isSame(write(type, fields, buy(0, 'b')).json)).toBe(false);
				expect(isSame(write(type, { ...fields, to: others.to }, buy(0, 'a')).json)).toBe(
					fields.to === others.to,
				);
				expect(isSame(write(type, { ...fields, value: others.value }, buy(0, 'a')).json)).toBe(
					fields.value === others.value,
				);
				expect(isSame(write(type, { ...fields, data: others.data }, buy(0, 'a')).json)).toBe(
					fields.data === others.data,
				);
			},
		),
	);
});

const HASH = `0x${'ab'.repeat(32)}`;
const FROM = `0x${'12'.repeat(20)}`;
const RECEIVER = '0x0000000000000000000000000000000000000001';
const PAYMENT = { hash: HASH, to: RECEIVER, token: null, value: 1n, comment: null, time: 0 };
const readShown = async (shown: object | null, id = 'a', made: Partial<typeof PAYMENT> = {}) => {
	const chain = { call: async () => await Promise.resolve(shown), shared: createShared() };
	return await readMarkedPayment(
		chain,
		{ ...PAYMENT, ...made },
		{ from: FROM, mark: makeMark('evm', id) },
	);
};

test('a payment that was listed and is not shown is a failure, since it may be the one that is looked for', async () => {
	await expect(readShown(null)).rejects.toThrow(HASH);
});

test('the transaction of another account, with another mark, or of another amount is not the one that is looked for', async () => {
	const { gas, price } = addMark(
		{ gas: 21_000n, price: { gasPrice: 5n } },
		makeMark('evm', 'a').value,
	);
	const bought = { gas, price: getHighest(price) };
	const { json } = write('legacy', { to: RECEIVER, value: 1n, data: '0x' }, bought);
	expect(await readShown({ ...json, from: HASH.slice(0, 42) })).toBeUndefined();
	expect(await readShown({ ...json, from: FROM }, 'b')).toBeUndefined();
	expect(await readShown({ ...json, from: FROM }, 'a', { value: 2n })).toBeUndefined();
	// The payment ID was found in the transaction, so a hash that does not match the transaction is an error.
	await expect(readShown({ ...json, from: FROM })).rejects.toThrow();
});
