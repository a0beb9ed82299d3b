import fc from 'fast-check';
import {
	getAddress,
	serializeTransaction as serializeByViem,
	type TransactionSerializable,
} from 'viem';
import {
	serializeTransaction,
	formatTransactionRequest,
	type UnsignedTransaction,
} from '../../../../nodes/core/evm/transactions/unsigned';
import { drawFrom, type Random } from '../../../harness/random.mts';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

const RUNS = { seed: getSeed(9), numRuns: getCaseCount(500) };

function transactionFrom(random: Random, isLegacy: boolean): UnsignedTransaction {
	return {
		chainId: random.number(4) + 1n,
		from: random.bytes(20),
		to: random.upTo(3) === 0 ? undefined : random.bytes(20),
		nonce: random.number(4),
		gas: random.number(4),
		value: random.number(32),
		data: random.bytes(random.oneOf([0, 1, 4, 36, 55, 56, 57, 300])),
		price: isLegacy
			? { gasPrice: random.number(8) }
			: { maxFeePerGas: 2n ** 70n, maxPriorityFeePerGas: random.number(8) },
	};
}

/** Converts a transaction to the form that viem takes. */
function forViem({ price, ...rest }: UnsignedTransaction): TransactionSerializable {
	const { chainId, to, nonce, gas, value, data } = rest;
	const type = 'gasPrice' in price ? 'legacy' : 'eip1559';
	const numbers = { chainId: Number(chainId), nonce: Number(nonce), gas, value };
	return { type, ...numbers, ...price, to, data } as never;
}

describe.each([
	['of EIP-1559', false],
	['of the kind before', true],
])('a transaction %s', (_, isLegacy) => {
	test(`is serialized as viem does it, ${RUNS.numRuns} times`, () => {
		const property = fc.property(fc.gen(), (generate) => {
			const transaction = transactionFrom(drawFrom(generate), isLegacy);
			const wanted = serializeByViem(forViem(transaction));
			expect(`0x${serializeTransaction(transaction).toString('hex')}`).toBe(wanted);
		});
		fc.assert(property, RUNS);
	});
});

test('is shown as eth_signTransaction takes it', () => {
	const [from, to] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const;
	const transaction: UnsignedTransaction = {
		chainId: 1n,
		from,
		to,
		nonce: 0n,
		gas: 21_000n,
		value: 10n ** 18n,
		data: '0x',
		price: { maxFeePerGas: 30n, maxPriorityFeePerGas: 0n },
	};
	const common = {
		chainId: '0x1',
		from: getAddress(from),
		nonce: '0x0',
		gas: '0x5208',
		value: '0xde0b6b3a7640000',
		data: '0x',
	};
	const receiver = { to: getAddress(to) };
	const fees = { maxFeePerGas: '0x1e', maxPriorityFeePerGas: '0x0' };
	expect(formatTransactionRequest(transaction)).toEqual({
		type: '0x2',
		...common,
		...receiver,
		...fees,
	});
	expect(formatTransactionRequest({ ...transaction, to: undefined })).toEqual({
		type: '0x2',
		...common,
		...fees,
	});
	expect(formatTransactionRequest({ ...transaction, price: { gasPrice: 5n } })).toEqual({
		type: '0x0',
		gasPrice: '0x5',
		...common,
		...receiver,
	});
});

describe.each(['legacy', 'eip2930', 'eip1559'] as const)('with a signature, %s', (type) => {
	test(`is what viem sends, ${RUNS.numRuns} times`, () => {
		const property = fc.property(fc.gen(), (generate) => {
			const random = drawFrom(generate);
			const bare = transactionFrom(random, type !== 'eip1559');
			const accessList = Array.from({ length: random.upTo(2) }, () => ({
				address: `0x${'ab'.repeat(20)}`,
				storageKeys: Array.from({ length: random.upTo(2) }, () => `0x${'01'.repeat(32)}`),
			}));
			const transaction = type === 'legacy' ? bare : { ...bare, accessList };
			const signature = {
				r: random.number(32) + 1n,
				s: random.number(32) + 1n,
				yParity: random.upTo(1),
			};
			const asHex = (value: bigint) => `0x${value.toString(16)}` as const;
			const wanted = serializeByViem(
				{
					...forViem(transaction),
					type,
					accessList: 'accessList' in transaction ? accessList : undefined,
				} as never,
				{
					...signature,
					v: BigInt(27 + signature.yParity),
					r: asHex(signature.r),
					s: asHex(signature.s),
				} as never,
			);
			expect(`0x${serializeTransaction(transaction, signature).toString('hex')}`).toBe(wanted);
		});
		fc.assert(property, RUNS);
	});
});
