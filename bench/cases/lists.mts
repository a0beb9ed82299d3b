import type { N8n } from '../n8n.mts';
import { inRounds, type Row } from '../rounds.mts';
import type { Service } from '../service.mts';
import { httpRequest, ours, run, save, type Step } from '../workflow.mts';

const ROWS = 100;
const TRACES = 100_000;

/** The pages of the list of projects: all of them, with the paging that each node has of its own. */
export async function pages(
	n8n: N8n,
	service: Service,
	{ count, latency, rounds }: { count: number; latency: number; rounds: number },
): Promise<Row> {
	const list = { resource: 'project', operation: 'getAll', returnAll: false, limit: count * ROWS };
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
	const timed = await timer(n8n, service, { latency });
	return await inRounds(
		{ work: `${count} pages of ${ROWS} projects, ${latency} ms away`, unit: 'ms', rounds },
		{
			ours: await timed(ours(n8n, 'platform', list)),
			'HTTP Request, predefined': await timed(httpRequest(n8n, parameters)),
		},
	);
}

/** Traces by pages of the size that is usual. */
export async function traces(n8n: N8n, service: Service, rounds: number): Promise<Row> {
	const range = { fromBlock: '1', toBlock: '1000', returnAll: false, limit: TRACES };
	const timed = await timer(n8n, service, {});
	const work = `${TRACES.toLocaleString('en')} traces by pages`;
	return await inRounds(
		{ work, unit: 'ms', rounds },
		{ ours: await timed(ours(n8n, 'trace', { operation: 'filter', ...range })) },
	);
}

async function timer(n8n: N8n, service: Service, settings: { latency?: number }) {
	return async (step: Step) => {
		const workflow = await save(n8n, [{}], step);
		return async () => {
			await service.set(settings);
			return (await run(n8n, workflow)).milliseconds;
		};
	};
}
