import { measureLimit } from './cases/limit.mts';
import { measurePages, measureTraces } from './cases/lists.mts';
import { measureLoading } from './cases/loading.mts';
import { measureReadMemory, measureReads } from './cases/reads.mts';
import { measureTrigger } from './cases/trigger.mts';
import { measureUploads } from './cases/uploads.mts';
import type { MeasuredN8n } from './n8n.mts';
import { OURS, type Row } from './rounds.mts';
import type { MeasuredService } from './service.mts';

/** The measurements. Each has a name that the option `--only` accepts. */
type Plan = ReadonlyArray<readonly [name: string, measure: () => Promise<Row[]>]>;

/**
 * Creates the plan of the short form. It takes less than three minutes and has all measurements that the floors need.
 */
export function createShortPlan(n8n: MeasuredN8n, service: MeasuredService): Plan {
	const contenders = [OURS, 'HTTP Request, none', 'HTTP Request, predefined'];
	const size = { count: 1000, latency: 25, rounds: 3, contenders };
	return [
		['reads', async () => [await measureReads(n8n, service, 'by expression', size)]],
		['reads', async () => [await measureReads(n8n, service, 'fixed', size)]],
		[
			'pages',
			async () => [await measurePages(n8n, service, { count: 50, latency: 25, rounds: 3 })],
		],
		[
			'uploads',
			async () => await measureUploads(n8n, service, { megabytes: 512, rounds: 3, peaks: 1 }),
		],
		['loading', async () => await measureLoading(3)],
	];
}

export function createFullPlan(n8n: MeasuredN8n, service: MeasuredService): Plan {
	const read = (parameter: 'by expression' | 'fixed') =>
		[0, 25].flatMap((latency) => [
			async () => [
				await measureReads(n8n, service, parameter, { count: 1000, latency, rounds: 5 }),
			],
			async () => [
				await measureReads(n8n, service, parameter, { count: 10_000, latency, rounds: 3 }),
			],
		]);
	const page = (latency: number) => async () => [
		await measurePages(n8n, service, { count: 200, latency, rounds: 3 }),
	];
	const upload = (megabytes: number, rounds: number) => async () =>
		await measureUploads(n8n, service, { megabytes, rounds, peaks: 3 });
	return [
		...[...read('by expression'), ...read('fixed')].map((measure) => ['reads', measure] as const),
		['memory', async () => [await measureReadMemory(n8n, service, 10_000)]],
		['pages', page(0)],
		['pages', page(25)],
		['traces', async () => [await measureTraces(n8n, service, 3)]],
		['uploads', upload(64, 7)],
		['uploads', upload(512, 7)],
		['uploads', upload(2048, 3)],
		['limit', async () => await measureLimit(n8n, service, 3)],
		['trigger', async () => await measureTrigger(n8n, service, 200)],
		['loading', async () => await measureLoading(5)],
	];
}
