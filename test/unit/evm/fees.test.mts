import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readFees } from '../../../nodes/core/evm/fees';
import { createChain } from '../support/chains.mts';

/**
 * Reads the fees from a chain node. `gasPrice` answers eth_gasPrice, and `past` answers the other method. An error as
 * an answer is thrown.
 */
async function feesFrom(gasPrice: unknown, past: unknown) {
	const chain = createChain((method) => {
		const answer = method === 'eth_gasPrice' ? gasPrice : past;
		if (answer instanceof Error) throw answer;
		return answer;
	});
	return await readFees(chain);
}

const gwei = (amount: number) => `0x${(BigInt(amount) * 10n ** 9n).toString(16)}`;
const of = (amount: number) => ({ wei: `${amount}000000000`, gwei: String(amount) });

const history = {
	oldestBlock: '0x1',
	baseFeePerGas: [gwei(7), gwei(8), gwei(9), gwei(10), gwei(11)],
	gasUsedRatio: [0.5, 0, 0.9, 1],
	reward: [
		[gwei(1), gwei(2), gwei(3)],
		[gwei(0), gwei(0), gwei(0)],
		[gwei(5), gwei(6), gwei(70)],
		[gwei(3), gwei(4), gwei(50)],
	],
};

test('the base fee is that of the next block, the others are those in the middle of the full blocks', async () => {
	expect(await feesFrom('0x3b9aca01', history)).toEqual({
		gasPrice: { wei: '1000000001', gwei: '1.000000001' },
		baseFee: of(11),
		slow: of(3),
		normal: of(4),
		fast: of(50),
	});
});

test('where all blocks are empty they are what the node says', async () => {
	const quiet = { ...history, gasUsedRatio: [0, 0, 0, 0] };
	expect(await feesFrom('0x0', quiet)).toMatchObject({ slow: of(3), normal: of(4) });
});

const none = { gasPrice: of(1), baseFee: null, slow: null, normal: null, fast: null };

test.each([
	['does not know the method', new RequestFailure('the method does not exist')],
	['has no history', { oldestBlock: '0x0' }],
	['has an empty one', { baseFeePerGas: [], gasUsedRatio: [], reward: [] }],
	['has an odd one', { baseFeePerGas: ['x'], gasUsedRatio: 'a', reward: [null, 1, ['y']] }],
])('a chain that %s returns its gas price', async (_, past) => {
	expect(await feesFrom(gwei(1), past)).toEqual(none);
});

test.each([
	['a node that cannot be reached', new RequestFailure('gone', { retry: { because: 'lost' } })],
	['a refused credential', new RequestFailure('gone', { httpCode: 401 })],
])('%s is a failure', async (_, lost) => {
	await expect(feesFrom('0x1', lost)).rejects.toThrow('gone');
	await expect(feesFrom(lost, history)).rejects.toThrow('gone');
});

test.each([[null], ['many'], [{}]])('%p is no gas price', async (odd) => {
	await expect(feesFrom(odd, history)).rejects.toThrow('did not answer with a gas price');
});

describe('where the fee history is refused', () => {
	const refused = new RequestFailure('the method does not exist');
	const block = (baseFeePerGas?: string) => ({ number: '0x1', hash: '0xaa', baseFeePerGas });

	/** Reads the fees of a node that has no fee history. Its gas price is 9 gwei. */
	async function feesOf(latest: unknown, offered: unknown) {
		const answers: Readonly<Record<string, unknown>> = {
			eth_gasPrice: gwei(9),
			eth_feeHistory: new RequestFailure('request beyond head block'),
			eth_getBlockByNumber: latest,
			eth_maxPriorityFeePerGas: offered,
		};
		const chain = createChain((method) => {
			const answer = answers[method];
			if (answer instanceof Error) throw answer;
			return answer;
		});
		return await readFees(chain);
	}

	test.each([
		['returns what it offers', gwei(2), of(2)],
		['does not', refused, of(4)],
	])('fees are those of the latest block, where the node %s', async (_, offered, priority) => {
		expect(await feesOf(block(gwei(5)), offered)).toEqual({
			gasPrice: of(9),
			baseFee: of(5),
			slow: priority,
			normal: priority,
			fast: priority,
		});
	});

	test('a gas price below the base fee leaves the rest open', async () => {
		const fees = { baseFee: of(10), slow: null, normal: null, fast: null };
		expect(await feesOf(block(gwei(10)), refused)).toMatchObject(fees);
	});

	test.each([
		['has no base fee', block()],
		['cannot be read', refused],
		['is none', null],
	])('and the latest block %s, only the gas price is returned', async (_, latest) => {
		expect(await feesOf(latest, gwei(2))).toEqual({ ...none, gasPrice: of(9) });
	});

	test('an outage is a failure', async () => {
		const lost = new RequestFailure('gone', { retry: { because: 'lost' } });
		await expect(feesOf(lost, refused)).rejects.toBe(lost);
		await expect(feesOf(block(gwei(5)), lost)).rejects.toBe(lost);
	});
});

test('a history without rewards is completed', async () => {
	const fees = { slow: of(1), normal: of(1), fast: of(1) };
	expect(await feesFrom(gwei(12), { ...history, reward: null })).toEqual({
		gasPrice: of(12),
		baseFee: of(11),
		...fees,
	});
});

test('a fee history of far more blocks than were requested is refused', async () => {
	const long = { ...history, reward: Array(1001).fill(history.reward[0]) };
	await expect(feesFrom('0x3b9aca01', long)).rejects.toThrow('at most 1000 blocks');
});
