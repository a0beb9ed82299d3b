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
import { createRandom } from '../../../harness/random.mts';
import { getCaseCount } from '../../../harness/caseCount.mts';

const SEEDS = getCaseCount(500);

/** Numbers of all sizes, 0 among them. */
function numberFrom({ upTo }: ReturnType<typeof createRandom>, bytes: number): bigint {
	const digits = Array.from({ length: upTo(2 * bytes) }, () => upTo(15).toString(16)).join('');
	return BigInt(`0x0${digits}`);
}

function transactionOf(seed: number, isLegacy: boolean): UnsignedTransaction {
	const random = createRandom(seed);
	const hex = (bytes: number) =>
		`0x${Array.from({ length: 2 * bytes }, () => random.upTo(15).toString(16)).join('')}`;
	return {
		chainId: numberFrom(random, 4) + 1n,
		from: hex(20),
		to: random.upTo(3) === 0 ? undefined : hex(20),
		nonce: numberFrom(random, 4),
		gas: numberFrom(random, 4),
		value: numberFrom(random, 32),
		data: hex(random.oneOf([0, 1, 4, 36, 55, 56, 57, 300])),
		price: isLegacy
			? { gasPrice: numberFrom(random, 8) }
			: { maxFeePerGas: 2n ** 70n, maxPriorityFeePerGas: numberFrom(random, 8) },
	};
}

/** The same for viem. */
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
	test(`is serialized as viem does it, ${SEEDS} times`, () => {
		for (let seed = 0; seed < SEEDS; seed++) {
			const transaction = transactionOf(seed, isLegacy);
			const wanted = serializeByViem(forViem(transaction));
			expect(`0x${serializeTransaction(transaction).toString('hex')}`).toBe(wanted);
		}
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
	test(`is what viem sends, ${SEEDS} times`, () => {
		for (let seed = 0; seed < SEEDS; seed++) {
			const random = createRandom(seed);
			const bare = transactionOf(seed, type !== 'eip1559');
			const accessList = Array.from({ length: random.upTo(2) }, () => ({
				address: `0x${'ab'.repeat(20)}`,
				storageKeys: Array.from({ length: random.upTo(2) }, () => `0x${'01'.repeat(32)}`),
			}));
			const transaction = type === 'legacy' ? bare : { ...bare, accessList };
			const signature = {
				r: numberFrom(random, 32) + 1n,
				s: numberFrom(random, 32) + 1n,
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
		}
	});
});
