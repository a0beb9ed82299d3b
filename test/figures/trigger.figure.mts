import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeParameters } from 'n8n-workflow';
import { EvmRpcTrigger } from '../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { deployContract } from '../harness/contract.mts';
import { Database } from '../harness/database.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';
import { activateTrigger, type ActiveTrigger } from '../harness/trigger.mts';
import { waitUntil } from '../harness/until.mts';
import { connected } from '../sandbox/support/socketClient.mts';
import { figure } from './figure.mts';

const BLOCKS = 50;
const LIVES = 100;
const TOGETHER = 50;

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ chain: true })));
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

const listening = async (parameters: INodeParameters = {}, database = new Database()) =>
	await activateTrigger(
		{
			node: new EvmRpcTrigger(),
			parameters: { authentication: 'token', event: 'newBlock', ...parameters },
			credentials: sandbox.credentials.token,
		},
		{ database },
	);

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
const mine = async (count = 1) => await sandbox.chain('anvil_mine', `0x${count.toString(16)}`);

async function timed(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}

/** Returns the median and the maximum. */
function spread(times: readonly number[]): string {
	const sorted = [...times].sort((a, b) => a - b);
	const [middle = 0, last = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
	return `${middle.toFixed(1)} ms, at most ${last.toFixed(1)} ms`;
}

/** Measures how long after a plain WebSocket received each block n8n gets the execution. */
async function delays(parameters: INodeParameters, happen: () => Promise<unknown>) {
	const [heard, started]: [number[], number[]] = [[], []];
	const client = await connected(sandbox);
	await client.ask('eth_subscribe', 'newHeads');
	client.socket.on('message', () => heard.push(performance.now()));
	const database = new Database();
	database.execute = async () => await Promise.resolve(void started.push(performance.now()));
	const trigger = await listening(parameters, database);
	for (let count = 1; count <= BLOCKS; count++) {
		// Blocks in quick succession are gathered; this pause prevents it.
		await pause(300);
		await happen();
		await waitUntil(() => started.length === count && heard.length === count);
	}
	await trigger.close();
	client.socket.terminate();
	return started.map((at, index) => at - (heard[index] ?? NaN));
}

test('from the announcement of a block to the execution', async () => {
	const notes = await deployContract(sandbox, 'Notes');
	const data = notes.data('erase(uint256)', 1);
	const blocks = await delays({}, mine);
	const logs = await delays(
		{ event: 'log', addresses: notes.address },
		async () => await sandbox.mined({ from: notes.owner, to: notes.address, data }),
	);
	figure(`From the announcement of a block to its execution: ${spread(blocks)}`);
	figure(`From the announcement of a block to the execution with its log: ${spread(logs)}`);
});

const requests = async () =>
	((await sandbox.control('GET', '/record/count?room=node')) as { requests: number }).requests;

test.each([
	['with its bloom', {}],
	['on a chain without blooms', { blooms: false }],
	['with neither blooms nor receipts', { blooms: false, receipts: false }],
])('a quiet block %s', async (what, lack) => {
	const notes = await deployContract(sandbox, 'Notes');
	await sandbox.control('PUT', '/lag', lack);
	const trigger = await listening({ event: 'log', topics: 'Noted(address,uint256,uint256)' });
	const data = notes.data('erase(uint256)', 1);
	await pause(500);
	const before = await requests();
	for (let count = 0; count < BLOCKS; count++) {
		await sandbox.mined({ from: notes.owner, to: notes.address, data });
		await pause(150);
	}
	await trigger.close();
	const each = ((await requests()) - before) / BLOCKS;
	figure(`Requests for a block without such a log, ${what}: ${each.toFixed(2)}`);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function memory(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 1024 / 1024;
}

const openSockets = async () =>
	((await sandbox.control('GET', '/sockets')) as { open: number }).open;

test('many at once', async () => {
	const all = async (count: number) => {
		const triggers: ActiveTrigger[] = [];
		for (let index = 0; index < count; index++) triggers.push(await listening());
		return triggers;
	};
	const close = async (triggers: readonly ActiveTrigger[]) =>
		await Promise.all(triggers.map(async (one) => await one.close()));
	await close(await all(10));
	const before = memory();
	const triggers = await all(TOGETHER);
	await mine(10);
	await Promise.all(triggers.map(async (one) => await one.has(10)));
	const [each, open] = [(memory() - before) / TOGETHER, await openSockets()];
	await close(triggers);
	await waitUntil(async () => (await openSockets()) === 0);
	figure(
		`${TOGETHER} active triggers: ${open} sockets, ${each.toFixed(2)} MB each; 0 sockets after`,
	);
});

test('activations', async () => {
	const live = async (times: number) => {
		for (let count = 0; count < times; count++) await (await listening()).close();
	};
	await live(10);
	const before = memory();
	const time = await timed(async () => await live(LIVES));
	const growth = memory() - before;
	figure(
		`${LIVES} activations: ${(time / 1000).toFixed(1)} s, memory grew by ${growth.toFixed(1)} MB`,
	);
});
