import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EvmRpcTrigger } from '../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';
import { activate } from '../harness/trigger.mts';
import { figure } from './figure.mts';

const BLOCKS = 50;
const LIVES = 100;

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ chain: true })));
afterAll(async () => await sandbox.stop());

const listening = async () =>
	await activate({
		node: new EvmRpcTrigger(),
		parameters: { authentication: 'token', event: 'newBlock' },
		credentials: sandbox.credentials.token,
	});

async function timed(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}

test('from a block to its item', async () => {
	const trigger = await listening();
	const times: number[] = [];
	for (let count = 1; count <= BLOCKS; count++) {
		// Blocks that come fast are gathered; these do not.
		await new Promise((resolve) => setTimeout(resolve, 300));
		await sandbox.chain('anvil_mine', '0x1');
		times.push(await timed(async () => await trigger.has(count)));
	}
	await trigger.close();
	const [middle = 0, last = 0] = [BLOCKS / 2, BLOCKS - 1].map(
		(at) => times.sort((a, b) => a - b)[at],
	);
	figure(`From a block to its item: ${middle.toFixed(0)} ms, at most ${last.toFixed(0)} ms`);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed / 1024 / 1024;
}

test('activations', async () => {
	const live = async (times: number) => {
		for (let count = 0; count < times; count++) await (await listening()).close();
	};
	await live(10);
	const before = heap();
	const time = await timed(async () => await live(LIVES));
	const growth = heap() - before;
	figure(
		`${LIVES} activations: ${(time / 1000).toFixed(1)} s, the heap grew by ${growth.toFixed(1)} MB`,
	);
});
