import type { INodeExecutionData } from 'n8n-workflow';
import { callOf, startGrpcSandbox } from '../../grpc/test/support/grpcSandbox.mts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { startSandbox } from '../harness/sandbox.mts';
import { figure } from './figure.mts';

const itemsOf = (count: number) =>
	Array.from({ length: count }, (_, number): INodeExecutionData => ({ json: { number } }));

async function printTime(what: string, run: Promise<NodeResult>): Promise<void> {
	const begun = performance.now();
	const { items, error } = await run;
	expect(error).toBeUndefined();
	const seconds = (performance.now() - begun) / 1000;
	figure(`${items.length} ${what} at 25 calls a second: ${seconds.toFixed(1)} s`);
}

test('reads over JSON-RPC', async () => {
	const sandbox = await startSandbox({ chain: true });
	await sandbox.chain('anvil_mine', '0x400');
	await sandbox.control('PUT', '/limits', { callsPerSecond: 25, as: 'rpc' });
	const read = async () =>
		await runNode({
			node: new EvmRpc(),
			parameters: { resource: 'block', operation: 'get', block: '={{ $json.number }}' },
			credentials: sandbox.credentials.token,
			items: itemsOf(300),
		});
	await printTime('reads', read());
	await printTime('reads in each of two runs at the same time', bothOf(read(), read()));
	await sandbox.stop();
});

/** Two runs as one: with a failure if either failed. */
async function bothOf(...runs: readonly [Promise<NodeResult>, Promise<NodeResult>]) {
	const [one, other] = await Promise.all(runs);
	expect([one.error, other.error]).toEqual([undefined, undefined]);
	expect(other.items).toHaveLength(one.items.length);
	return one;
}

test('calls over gRPC', async () => {
	const sandbox = await startGrpcSandbox();
	await sandbox.control('PUT', '/limits', { room: 'grpc', callsPerSecond: 25 });
	const parameters = { ...callOf('ChainService', 'GetBlock'), request: '={{ $json }}' };
	await printTime('calls over gRPC', sandbox.run(parameters, { items: itemsOf(200) }));
	await sandbox.stop();
});
