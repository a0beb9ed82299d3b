import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { deployContract } from '../../harness/contract.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox } from '../../harness/sandbox.mts';

const TRANSACTIONS = 100;
const LATENCY_MS = 25;

const sandbox = createSandbox({ chain: true });

test('simulations of what was prepared', async () => {
	const { address, owner } = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const { items: prepared, error } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'transaction',
			operation: 'prepare',
			kind: 'tokenTransfer',
			from: owner,
			token: address,
			to: '={{ $json.to }}',
			amount: '1.5',
		},
		credentials: sandbox.credentials.token,
		items: Array.from({ length: TRANSACTIONS }, (_, at) => ({
			json: { to: `0x${(at + 1).toString(16).padStart(40, 'a')}` },
		})),
	});
	expect(error?.message).toBeUndefined();
	await sandbox.control('PUT', '/latency', { ms: LATENCY_MS, room: 'node' });
	const times: number[] = [];
	for (let run = 0; run < 3; run++) {
		const begun = performance.now();
		const { items, error: failure } = await runNode({
			node: new EvmRpc(),
			parameters: {
				resource: 'transaction',
				operation: 'simulate',
				transaction: '={{ $json.transaction }}',
			},
			credentials: sandbox.credentials.token,
			items: prepared.map(({ json }) => ({ json })),
		});
		times.push((performance.now() - begun) / 1000);
		expect(failure?.message).toBeUndefined();
		const changed = items.map(({ json }) => (json.changes as unknown[]).length);
		expect(changed).toEqual(items.map(() => 2));
	}
	const [first = 0] = times;
	figure(
		`${TRANSACTIONS} prepared payments in a token simulated and checked, each answer after ${LATENCY_MS} ms: ${Math.min(...times).toFixed(2)} s (at first ${first.toFixed(2)} s)`,
	);
});
