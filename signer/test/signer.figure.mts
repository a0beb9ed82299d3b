import { privateKeyToAccount } from 'viem/accounts';
import { figure, processorTime } from '../../test/figures/figure.mts';
import { largeTypedData } from '../../test/harness/largeTypedData.mts';
import { FRIEND, KEY, signTransaction, signWith, TRANSFER } from './support/signerNode.mts';

const TRANSACTIONS = 1000;
const MEGABYTE = 1_000_000;

test('signed transactions', async () => {
	const items = Array.from({ length: TRANSACTIONS }, (_, nonce) => ({
		json: { transaction: { ...TRANSFER, nonce } },
	}));
	const parameters = { ...signTransaction({}), transaction: '={{ $json }}' };
	const byNode = async () => await signWith(parameters, { items });
	const account = privateKeyToAccount(KEY);
	const byViem = async () => {
		for (let nonce = 0; nonce < TRANSACTIONS; nonce++) {
			await account.signTransaction({
				type: 'eip1559',
				chainId: 31337,
				to: FRIEND,
				nonce,
				gas: 21_000n,
				value: 10n ** 18n,
				maxFeePerGas: 2_000_000_000n,
				maxPriorityFeePerGas: 1_000_000_000n,
			});
		}
	};
	await byNode();
	await byViem();
	const [node, viem] = [await timed(byNode), await timed(byViem)];
	expect((await byNode()).items).toHaveLength(TRANSACTIONS);
	figure(
		`${TRANSACTIONS} transactions signed in one run: ${node.toFixed(0)} ms; by viem alone ${viem.toFixed(0)} ms`,
	);
});

test('typed data', async () => {
	const times: Array<readonly [milliseconds: number, what: string]> = [];
	for (const [what, make] of Object.entries(largeTypedData)) {
		const typedData = JSON.stringify(make(MEGABYTE));
		const parameters = { resource: 'typedData', operation: 'sign', typedData };
		times.push([await processorTime(async () => await signWith(parameters)), what]);
	}
	const [[longest, what] = [0, '']] = times.sort(([one], [other]) => other - one);
	figure(
		`a megabyte of hostile typed data to be signed: ${longest.toFixed(0)} ms of the processor at most (${what})`,
	);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}
