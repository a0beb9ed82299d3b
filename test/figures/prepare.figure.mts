import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../harness/engine.mts';
import { startSandbox } from '../harness/sandbox.mts';
import { figure } from './figure.mts';

const TRANSFERS = 1000;
const LATENCY = 25;

test('prepared transfers', async () => {
	const sandbox = await startSandbox({ chain: true });
	const [from] = (await sandbox.chain('eth_accounts')) as [string];
	const run = async () =>
		await runNode({
			node: new EvmRpc(),
			parameters: {
				resource: 'transaction',
				operation: 'prepare',
				from,
				to: '={{ $json.to }}',
				amount: '0.001',
			},
			credentials: sandbox.credentials.token,
			items: Array.from({ length: TRANSFERS }, (_, index) => ({
				json: { to: `0x${(index + 0xa000).toString(16).padStart(40, '0')}` },
			})),
		});
	await run();
	await sandbox.reset();
	await sandbox.fault({ room: 'node', times: -1, do: { delay: LATENCY } });
	const [begun, used] = [performance.now(), process.cpuUsage()];
	const { items, error } = await run();
	const seconds = (performance.now() - begun) / 1000;
	const { user, system } = process.cpuUsage(used);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(TRANSFERS);
	const requests = (await sandbox.record()).length;
	figure(
		`${TRANSFERS} transfers prepared at ${LATENCY} ms: ${seconds.toFixed(2)} s, ${requests} requests; ${((user + system) / 1e6).toFixed(2)} s of a processor`,
	);
	await sandbox.stop();
});
