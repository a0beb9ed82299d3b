import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { callOf, startGrpcSandbox } from '../../grpc/test/support/grpcSandbox.mts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';
import { figure } from './figure.mts';

/** Calls a second. The bucket holds the same number, so the first ones are sent at once. */
const RATE = 25;
const KNOWN = { maxCallsPerSecond: RATE };

const itemsOf = (count: number) =>
	Array.from({ length: count }, (_, number): INodeExecutionData => ({ json: { number } }));

type Room = 'node' | 'grpc';
type Counts = Readonly<Record<Room, { readonly answered: number; readonly refused: number }>>;

/** Prints how long simultaneous runs took, beginning with a full bucket. */
async function print(
	what: string,
	{ control }: Pick<Sandbox, 'control'>,
	room: Room,
	...runs: ReadonlyArray<() => Promise<NodeResult>>
): Promise<void> {
	await control('PUT', '/limits', { callsPerSecond: RATE, as: 'rpc', room });
	const counts = async () => ((await control('GET', '/counts')) as Counts)[room];
	const before = await counts();
	const begun = performance.now();
	const results = await Promise.all(runs.map(async (run) => await run()));
	const seconds = (performance.now() - begun) / 1000;
	expect(results.map(({ error }) => error)).toEqual(runs.map(() => undefined));
	const calls = results.reduce((sum, { items }) => sum + items.length, 0);
	const least = (calls - RATE) / RATE;
	const refused = (await counts()).refused - before.refused;
	figure(
		`${calls} ${what} at ${RATE} calls a second: ${seconds.toFixed(1)} s, ${(seconds / least).toFixed(2)} times the least possible, ${refused} refused`,
	);
}

test('reads over JSON-RPC', async () => {
	const sandbox = await startSandbox({ chain: true });
	await sandbox.chain('anvil_mine', '0x400');
	const read = (options: INodeParameters) => async () =>
		await runNode({
			node: new EvmRpc(),
			parameters: { resource: 'block', operation: 'get', block: '={{ $json.number }}', options },
			credentials: sandbox.credentials.token,
			items: itemsOf(300),
		});
	await print('reads', sandbox, 'node', read({}));
	await print('reads with Max Calls per Second', sandbox, 'node', read(KNOWN));
	await print('reads of two runs at the same time', sandbox, 'node', read({}), read({}));
	await sandbox.stop();
});

test('calls over gRPC', async () => {
	const sandbox = await startGrpcSandbox();
	const call = (options: INodeParameters) => async () => {
		const parameters = { ...callOf('ChainService', 'GetBlock'), request: '={{ $json }}', options };
		return await sandbox.run(parameters, { items: itemsOf(200) });
	};
	await print('calls over gRPC', sandbox, 'grpc', call({}));
	await print('calls over gRPC with Max Calls per Second', sandbox, 'grpc', call(KNOWN));
	await sandbox.stop();
});
