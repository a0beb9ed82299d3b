import { limit } from './cases/limit.mts';
import { pages, traces } from './cases/lists.mts';
import { loading } from './cases/loading.mts';
import { memoryOfReads, reads } from './cases/reads.mts';
import { trigger } from './cases/trigger.mts';
import { uploads } from './cases/uploads.mts';
import type { N8n } from './n8n.mts';
import type { Row } from './rounds.mts';
import type { Service } from './service.mts';

/** What is measured, by the name that `--only` takes. */
export type Plan = ReadonlyArray<readonly [name: string, measure: () => Promise<Row[]>]>;

/** Under three minutes: enough for the floors. */
export function short(n8n: N8n, service: Service): Plan {
	const contenders = ['ours', 'HTTP Request, none', 'HTTP Request, predefined'];
	const size = { count: 1000, latency: 25, rounds: 3, contenders };
	return [
		['reads', async () => [await reads(n8n, service, 'by expression', size)]],
		['reads', async () => [await reads(n8n, service, 'fixed', size)]],
		['pages', async () => [await pages(n8n, service, { count: 50, latency: 25, rounds: 3 })]],
		['uploads', async () => await uploads(n8n, service, { megabytes: 512, rounds: 3, peaks: 1 })],
		['loading', async () => await loading(3)],
	];
}

export function full(n8n: N8n, service: Service): Plan {
	const read = (parameter: 'by expression' | 'fixed') =>
		[0, 25].flatMap((latency) => [
			async () => [await reads(n8n, service, parameter, { count: 1000, latency, rounds: 5 })],
			async () => [await reads(n8n, service, parameter, { count: 10_000, latency, rounds: 3 })],
		]);
	const page = (latency: number) => async () => [
		await pages(n8n, service, { count: 200, latency, rounds: 3 }),
	];
	const upload = (megabytes: number, rounds: number) => async () =>
		await uploads(n8n, service, { megabytes, rounds, peaks: 3 });
	return [
		...[...read('by expression'), ...read('fixed')].map((measure) => ['reads', measure] as const),
		['memory', async () => [await memoryOfReads(n8n, service, 10_000)]],
		['pages', page(0)],
		['pages', page(25)],
		['traces', async () => [await traces(n8n, service, 3)]],
		['uploads', upload(64, 7)],
		['uploads', upload(512, 7)],
		['uploads', upload(2048, 3)],
		['limit', async () => await limit(n8n, service, 3)],
		['trigger', async () => [await trigger(n8n, service, 200)]],
		['loading', async () => await loading(5)],
	];
}
