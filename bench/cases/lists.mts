import type { MeasuredN8n } from '../n8n.mts';
import { measureInRounds, OURS, type Row } from '../rounds.mts';
import type { MeasuredService } from '../service.mts';
import {
	httpRequestNode,
	ourNode,
	runWorkflow,
	saveWorkflow,
	type WorkflowStep,
} from '../workflow.mts';

const PAGE_ROWS = 100;
const TRACE_COUNT = 100_000;

/** Measures the reading of all pages of the project list. Each node uses its own paging. */
export async function measurePages(
	n8n: MeasuredN8n,
	service: MeasuredService,
	{ count, latency, rounds }: { count: number; latency: number; rounds: number },
): Promise<Row> {
	const list = {
		resource: 'project',
		operation: 'getAll',
		returnAll: false,
		limit: count * PAGE_ROWS,
	};
	const pagination = {
		paginationMode: 'responseContainsNextURL',
		nextURL: '={{ $response.body.next }}',
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.next }}',
		limitPagesFetched: true,
		maxRequests: count,
	};
	const parameters = {
		url: `${service.url}/v1/projects/`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'chainPlatformApi',
		options: { pagination: { pagination } },
	};
	const timed = await createTimer(n8n, service, { latency });
	return await measureInRounds(
		{
			work: `Read ${count} pages of ${PAGE_ROWS} projects, ${latency} ms away`,
			unit: 'ms',
			rounds,
		},
		{
			[OURS]: await timed(ourNode(n8n, 'platform', list)),
			'HTTP Request, predefined': await timed(httpRequestNode(n8n, parameters)),
		},
	);
}

/** Measures the reading of traces in pages of the default size. */
export async function measureTraces(
	n8n: MeasuredN8n,
	service: MeasuredService,
	rounds: number,
): Promise<Row> {
	const range = { fromBlock: '1', toBlock: '1000', returnAll: false, limit: TRACE_COUNT };
	const timed = await createTimer(n8n, service, {});
	const work = `Read ${TRACE_COUNT.toLocaleString('en')} traces by pages`;
	return await measureInRounds(
		{ work, unit: 'ms', rounds },
		{ [OURS]: await timed(ourNode(n8n, 'trace', { operation: 'filter', ...range })) },
	);
}

async function createTimer(
	n8n: MeasuredN8n,
	service: MeasuredService,
	settings: { latency?: number },
) {
	return async (step: WorkflowStep) => {
		const workflow = await saveWorkflow(n8n, [{}], step);
		return async () => {
			await service.set(settings);
			return (await runWorkflow(n8n, workflow)).milliseconds;
		};
	};
}
