import { privateKeyToAccount } from 'viem/accounts';
import { figure } from '../../test/figures/figure.mts';
import { FRIEND, KEY, signTransaction, signWith, TRANSFER } from './support/signerNode.mts';

const TRANSACTIONS = 1000;

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
				...{ type: 'eip1559', chainId: 31337, to: FRIEND, nonce, gas: 21_000n },
				...{
					value: 10n ** 18n,
					maxFeePerGas: 2_000_000_000n,
					maxPriorityFeePerGas: 1_000_000_000n,
				},
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

async function timed(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}
