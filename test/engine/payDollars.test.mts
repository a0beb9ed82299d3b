import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { Pay } from '../../signer/nodes/Pay/Pay.node';
import { deployContract } from '../harness/contract.mts';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });
const RECEIVER = '0x00000000000000000000000000000000000000d0';

/** Runs the example, which pays an amount in dollars. Returns what the receiver has got, in wei. */
async function payDollars(dollars: string, updatedAt: bigint): Promise<bigint> {
	const feed = await deployContract(sandbox, 'Feed', { file: 'Feeds' });
	const method = 'setRound(uint80,int256,uint256,uint80)';
	const data = feed.data(method, 1, 250_050_000_000n, updatedAt, 1);
	await sandbox.mined({ from: feed.owner, to: feed.address, data });
	const example = openExample('pay-dollars-in-coins', {
		own: {
			'n8n-nodes-chain-infra.evmRpc': new EvmRpc(),
			'n8n-nodes-chain-infra.utilities': new Utilities(),
			'n8n-nodes-chain-infra-signer.pay': new Pay(),
		},
		credentials: { ...sandbox.credentials.token, ...sandbox.credentials.signerKey },
		sign: () => ({}),
	});
	const before = BigInt(String(await sandbox.chain('eth_getBalance', RECEIVER, 'latest')));
	expect(await example.run({ feed: feed.address, dollars, to: RECEIVER })).toBeUndefined();
	return BigInt(String(await sandbox.chain('eth_getBalance', RECEIVER, 'latest'))) - before;
}

async function readTime(): Promise<bigint> {
	const head = await sandbox.chain('eth_getBlockByNumber', 'latest', false);
	return BigInt((head as { timestamp: string }).timestamp);
}

test('dollars are paid in coins, to the last digit', async () => {
	// The expected amount is 12.34 dollars at a price of 2,500.5 dollars, rounded down.
	expect(await payDollars('12.34', await readTime())).toBe(
		(1234n * 10n ** 26n) / 25_005_000_000_000n,
	);
});

test('nothing is paid by a stale price', async () => {
	expect(await payDollars('12.34', (await readTime()) - 90_000n)).toBe(0n);
});
