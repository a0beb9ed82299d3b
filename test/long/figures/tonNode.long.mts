import { Address } from '@ton/core';
import type { INodeParameters } from 'n8n-workflow';
import { Ton } from '../../../nodes/Ton/Ton.node';
import { buildTonScene } from '../../cases/tonScene.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { sendJson, startServer } from '../../harness/server.mts';
import { FakeTon, rawOf, transactionRow } from '../../unit/support/tonService.mts';
import { measureCpu, watchMemory } from '../resources.mts';

const ITEM_COUNT = 1000;
const ANSWER_MS = 25;
const TRANSACTION_COUNT = 10_000;
const CALLS_PER_SECOND = 10;

const addressOf = (index: number) =>
	Address.parseRaw(`0:${String(index).padStart(64, '0')}`).toString({ bounceable: false });
const items = Array.from({ length: ITEM_COUNT }, (_, index) => ({
	json: { address: addressOf(index), amount: formatAmount(index) },
}));

/** Formats an amount from one nanocoin to 0.4 coins. Such amounts need one to four bytes. */
function formatAmount(index: number): string {
	return (Math.ceil(1.02 ** index) / 1e9).toFixed(9);
}

interface Counts {
	readonly node: { readonly answered: number; readonly refused: number };
}

const sandbox = createSandbox();

async function run(parameters: INodeParameters, given = items) {
	const begun = performance.now();
	const { items: found, error } = await runNode({
		node: new Ton(),
		parameters,
		credentials: sandbox.credentials.token,
		items: given,
	});
	expect(error).toBeUndefined();
	expect(found).toHaveLength(given.length);
	return { found, seconds: (performance.now() - begun) / 1000 };
}

const ACCOUNT = { resource: 'account', operation: 'get', address: '={{ $json.address }}' };

async function warmUp(): Promise<void> {
	await run(ACCOUNT, items.slice(0, 1));
	await sandbox.control('PUT', '/latency', { ms: ANSWER_MS, room: 'node' });
}

async function countRequests(): Promise<number> {
	const { node } = (await sandbox.control('GET', '/counts')) as Counts;
	return node.answered;
}

test('accounts, without limits', async () => {
	await warmUp();
	const { seconds } = await run(ACCOUNT);
	figure(
		`${ITEM_COUNT} accounts in ${await countRequests()} requests, with ${ANSWER_MS} ms for each answer and no limit: ${seconds.toFixed(2)} s`,
	);
});

test('accounts, with Max Calls per Second', async () => {
	await warmUp();
	const limit = { callsPerSecond: CALLS_PER_SECOND, as: 'http429', room: 'node' };
	await sandbox.control('PUT', '/limits', limit);
	const { seconds } = await run({
		...ACCOUNT,
		options: { maxCallsPerSecond: CALLS_PER_SECOND },
	});
	const { node } = (await sandbox.control('GET', '/counts')) as Counts;
	figure(
		`${ITEM_COUNT} accounts at ${CALLS_PER_SECOND} calls a second: ${seconds.toFixed(2)} s, ${node.refused} refused`,
	);
});

test.each([
	['of equal amounts', '0.01'],
	['of different amounts', '={{ $json.amount }}'],
])('prepared transfers to different receivers, %s', async (which, amount) => {
	const { payer } = await buildTonScene(sandbox.control);
	const parameters = {
		resource: 'transaction',
		operation: 'prepare',
		from: payer,
		to: '={{ $json.address }}',
		amount,
		comment: 'June',
	};
	await run(parameters, items.slice(0, 1));
	const before = await countRequests();
	const cpu = await measureCpu(async () => await run(parameters));
	const requests = (await countRequests()) - before;
	figure(
		`${ITEM_COUNT} prepared transfers of one wallet, to different receivers and ${which}: ${cpu.toFixed(0)} ms of the processor, in ${requests} requests`,
	);
});

test('transactions of an account, in pages', async () => {
	const account = rawOf('a');
	const ton = new FakeTon();
	ton.transactions = Array.from({ length: TRANSACTION_COUNT }, (_, index) =>
		transactionRow(account, index + 1),
	);
	const server = await startServer(async ({ path }, response) =>
		sendJson(response, 200, await ton.call({ path })),
	);
	const peak = watchMemory();
	const begun = performance.now();
	const { items: found, error } = await runNode({
		node: new Ton(),
		parameters: { resource: 'transaction', operation: 'getAll', address: account, returnAll: true },
		credentials: server.credentials.token,
	});
	const seconds = (performance.now() - begun) / 1000;
	const megabytes = peak();
	await server.stop();
	expect(error).toBeUndefined();
	expect(new Set(found.map(({ json }) => json.hash)).size).toBe(TRANSACTION_COUNT);
	figure(
		`${TRANSACTION_COUNT.toLocaleString('en')} transactions in ${ton.count('transactions')} pages: ${seconds.toFixed(1)} s with the service in the same process, at most ${megabytes.toFixed(0)} MB`,
	);
});
