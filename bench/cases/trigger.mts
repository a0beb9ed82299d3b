import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { MeasuredN8n } from '../n8n.mts';
import { computePercentile, formatFigure, OURS, type Row } from '../rounds.mts';
import type { MeasuredService } from '../service.mts';

const BLOCK_INTERVAL_MS = 250;
/**
 * The number of blocks after which the executions are read. n8n lists at most a hundred of them, and a long list costs
 * it time.
 */
const MAX_LISTED_EXECUTIONS = 80;
const TRIGGER_NAME = 'Trigger';

/**
 * Measures the time from the announcement of a block to the start of the execution. A bare client is measured beside
 * the trigger.
 */
export async function measureTrigger(
	n8n: MeasuredN8n,
	service: MeasuredService,
	blocks: number,
): Promise<Row[]> {
	await service.set();
	const id = await activateWorkflow(n8n);
	const bare = await openBareClient(n8n.tokenUrl.replace(/^http:\/\/([^/]+)\//, 'ws://$1/ws/'));
	const announced = new Map<number, number>();
	const started = new Map<number, number>();
	for (let block = 1; block <= blocks; block++) {
		const { number, at } = await service.announce();
		announced.set(number, at);
		await sleep(BLOCK_INTERVAL_MS);
		if (block % MAX_LISTED_EXECUTIONS === 0 || block === blocks)
			await recordStarts(n8n, id, started);
	}
	await n8n.api.deactivate(id);
	bare.close();
	const ways = {
		[OURS]: computeDelays(announced, started),
		'bare WebSocket': computeDelays(announced, bare.heard),
	};
	return SHARES.map(({ name, share }) => {
		const delays = Object.entries(ways).map(
			([way, values]) => [way, computePercentile(values, share)] as const,
		);
		const work = `Start a workflow on each of ${blocks} blocks: ${name}`;
		console.log(
			`${work}: ${delays.map(([way, value]) => `${way} ${formatFigure(value)} ms`).join(', ')}`,
		);
		return { work, unit: 'ms', rounds: 1, medians: Object.fromEntries(delays) };
	});
}

const SHARES = [
	{ name: 'median', share: 0.5 },
	{ name: '99 % are faster', share: 0.99 },
];

async function activateWorkflow({ api, credentials }: MeasuredN8n): Promise<string> {
	const node = {
		id: TRIGGER_NAME,
		name: TRIGGER_NAME,
		typeVersion: 1,
		position: [0, 0],
		credentials,
		type: 'n8n-nodes-chain-infra.evmRpcTrigger',
		parameters: { event: 'newBlock' },
	};
	const workflow = { name: 'Blocks', nodes: [node], connections: {}, settings: {} };
	const id = await api.createWorkflow(workflow);
	await api.activate(id);
	return id;
}

async function openBareClient(url: string) {
	const socket = new WebSocket(url);
	const heard = new Map<number, number>();
	await once(socket, 'open');
	socket.on('message', (message) => {
		const { params } = JSON.parse(String(message)) as { params?: { result: { number: string } } };
		if (params) heard.set(Number(params.result.number), Date.now());
	});
	socket.send(
		JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }),
	);
	return { heard, close: () => socket.close() };
}

/** Records the start times of the latest executions by their blocks. The times are those that n8n has stored. */
async function recordStarts({ api }: MeasuredN8n, workflow: string, starts: Map<number, number>) {
	for (const { id, startedAt } of await api.executions(workflow)) {
		const { data } = await api.execution(id);
		for (const { json } of data.resultData.runData[TRIGGER_NAME]?.[0]?.data?.main?.[0] ?? []) {
			starts.set(Number(json.number), Date.parse(startedAt));
		}
	}
}

function computeDelays(
	announced: ReadonlyMap<number, number>,
	arrived: ReadonlyMap<number, number>,
): number[] {
	return [...announced].map(([number, at]) => {
		const then = arrived.get(number);
		if (then === undefined) throw new Error(`Block ${number} did not arrive`);
		return then - at;
	});
}
