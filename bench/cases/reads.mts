import { Agent, request } from 'undici';
import type { MeasuredN8n } from '../n8n.mts';
import { measureInRounds, OURS, type Row } from '../rounds.mts';
import type { MeasuredService } from '../service.mts';
import {
	authentications,
	httpRequestNode,
	MEASURED_NODE,
	ourNode,
	runWorkflow,
	saveWorkflow,
	type WorkflowStep,
} from '../workflow.mts';

type Parameter = 'by expression' | 'fixed';

interface ReadsSize {
	readonly count: number;
	readonly latency: number;
	readonly rounds: number;
	/** The default is all contenders. */
	readonly contenders?: readonly string[];
}

/** Builds the request body as a user of the HTTP Request node writes it. */
const buildBody = (block: string) =>
	`{ "jsonrpc": "2.0", "method": "eth_getBlockByNumber", "params": ["${block}", false], "id": 1 }`;

/** An expression that computes a value, so that n8n must evaluate it for each item. */
const COMPUTED_EXPRESSION = '={{ $json.block * 1 }}';

/** Measures the reading of blocks, one for each item. The blocks differ, or all items ask for the same block. */
export async function measureReads(
	n8n: MeasuredN8n,
	service: MeasuredService,
	parameter: Parameter,
	{ count, latency, rounds, contenders }: ReadsSize,
): Promise<Row> {
	const all = Object.entries(await saveWorkflows(n8n, service, parameter, count));
	const chosen = all.filter(([name]) => contenders?.includes(name) ?? true);
	const measured = chosen.map(([name, workflow]) => {
		const measure = async () => {
			await service.set({ latency });
			return await measureRun(n8n, name, workflow, count);
		};
		return [name, measure] as const;
	});
	const raw = async () => {
		await service.set({ latency });
		return await readWithoutN8n(`${n8n.tokenUrl}/evm`, count);
	};
	const work = `${describeReads(parameter, count)}, ${latency} ms away`;
	return await measureInRounds(
		{ work, unit: 'ms', rounds },
		{ ...Object.fromEntries(measured), 'without n8n': raw },
	);
}

/** Measures the memory that many reads need. */
export async function measureReadMemory(
	n8n: MeasuredN8n,
	service: MeasuredService,
	count: number,
): Promise<Row> {
	await service.set();
	const all = await saveWorkflows(n8n, service, 'by expression', count);
	const peaks = [OURS, 'HTTP Request, predefined'].map((name) => {
		const read = async () => await measureRun(n8n, name, all[name] ?? '', count);
		return [name, async () => await n8n.peak(read)] as const;
	});
	const work = `${describeReads('by expression', count)}: memory over idle`;
	return await measureInRounds({ work, unit: 'MB', rounds: 1 }, Object.fromEntries(peaks));
}

function describeReads(parameter: Parameter, count: number): string {
	const items = count.toLocaleString('en');
	return parameter === 'fixed'
		? `Read one block for ${items} items`
		: `Read ${items} blocks by expression`;
}

async function measureRun(
	n8n: MeasuredN8n,
	name: string,
	workflow: string,
	count: number,
): Promise<number> {
	const { milliseconds, items } = await runWorkflow(n8n, workflow);
	if (items !== count) throw new Error(`${name}: ${items} of ${count} items`);
	return milliseconds;
}

/** Saves the workflow of each contender, and returns them by name. */
async function saveWorkflows(
	n8n: MeasuredN8n,
	service: MeasuredService,
	parameter: Parameter,
	count: number,
): Promise<Readonly<Record<string, string>>> {
	const items = Array.from({ length: count }, (_, index) => ({ block: index + 1 }));
	const isFixed = parameter === 'fixed';
	const node = {
		resource: 'block',
		operation: 'get',
		block: isFixed ? '0x10' : '={{ $json.block }}',
		path: '/evm',
	};
	const contenders = { [OURS]: await saveWorkflow(n8n, items, ourNode(n8n, 'evmRpc', node)) };
	if (!isFixed) {
		const computed = { ...node, block: COMPUTED_EXPRESSION };
		Object.assign(contenders, {
			[`${OURS}, computed`]: await saveWorkflow(n8n, items, ourNode(n8n, 'evmRpc', computed)),
			'Edit Fields, computed': await saveWorkflow(n8n, items, buildEditFields(COMPUTED_EXPRESSION)),
		});
	}
	for (const [name, authentication] of Object.entries(authentications)) {
		const url = name === 'predefined' ? `${service.url}/evm` : `${n8n.tokenUrl}/evm`;
		const jsonBody = isFixed
			? buildBody('0x10')
			: `=${buildBody("{{ '0x' + $json.block.toString(16) }}")}`;
		const parameters = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody };
		const step = httpRequestNode(n8n, { ...parameters, ...authentication, options: {} });
		Object.assign(contenders, { [`HTTP Request, ${name}`]: await saveWorkflow(n8n, items, step) });
	}
	return contenders;
}

/**
 * Builds a node that does almost nothing but evaluate an expression for each item. It measures the time of the
 * evaluation.
 */
function buildEditFields(value: string): WorkflowStep {
	const assignments = { assignments: [{ id: '1', name: 'block', type: 'number', value }] };
	const parameters = { mode: 'manual', assignments, options: {} };
	return { name: MEASURED_NODE, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

/** Measures the shortest possible time: batches of a hundred calls, four at a time, over connections that stay open. */
async function readWithoutN8n(url: string, count: number): Promise<number> {
	const dispatcher = new Agent({ connections: 4 });
	const begun = performance.now();
	const batches = Array.from({ length: Math.ceil(count / 100) }, (_, batch) =>
		Array.from({ length: Math.min(100, count - batch * 100) }, (_call, index) => ({
			jsonrpc: '2.0',
			method: 'eth_getBlockByNumber',
			params: [`0x${(batch * 100 + index + 1).toString(16)}`, false],
			id: index + 1,
		})),
	);
	await Promise.all(
		batches.map(async (batch) => {
			const options = { method: 'POST', body: JSON.stringify(batch), dispatcher } as const;
			await (await request(url, options)).body.json();
		}),
	);
	await dispatcher.close();
	return performance.now() - begun;
}
