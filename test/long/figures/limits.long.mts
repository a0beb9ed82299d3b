import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox } from '../../harness/sandbox.mts';

const READ_COUNT = 300;
/** The rate limit in calls a second. The limit allows the first 25 calls at once. */
const CALLS_PER_SECOND = 25;
const LEAST_SECONDS = (READ_COUNT - CALLS_PER_SECOND) / CALLS_PER_SECOND;

const sandbox = createSandbox({ chain: true });

test('reads with Max Calls per Second', async () => {
	await sandbox.chain('anvil_mine', '0x400');
	await sandbox.control('PUT', '/limits', {
		callsPerSecond: CALLS_PER_SECOND,
		as: 'rpc',
		room: 'node',
	});
	const begun = performance.now();
	const { items, error } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'block',
			operation: 'get',
			block: '={{ $json.number }}',
			options: { maxCallsPerSecond: CALLS_PER_SECOND },
		},
		credentials: sandbox.credentials.token,
		items: Array.from({ length: READ_COUNT }, (_, number) => ({ json: { number } })),
	});
	const seconds = (performance.now() - begun) / 1000;
	expect(error).toBeUndefined();
	expect(items).toHaveLength(READ_COUNT);
	const { node } = (await sandbox.control('GET', '/counts')) as { node: { refused: number } };
	figure(
		`${READ_COUNT} reads at ${CALLS_PER_SECOND} calls a second: ${seconds.toFixed(1)} s, where ${LEAST_SECONDS} s are the least possible; ${node.refused} refused`,
	);
});
