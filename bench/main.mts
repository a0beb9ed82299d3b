import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../demo/tools/paths.mjs';
import { limit } from './cases/limit.mts';
import { pages, traces } from './cases/lists.mts';
import { loading } from './cases/loading.mts';
import { memoryOfReads, reads } from './cases/reads.mts';
import { trigger } from './cases/trigger.mts';
import { uploads } from './cases/uploads.mts';
import { fallen } from './floors.mts';
import { writePages } from './pages.mts';
import { machine, printTable } from './report.mts';
import { startMeasuredN8n, type N8n } from './n8n.mts';
import type { Row } from './rounds.mts';
import { startService, type Service } from './service.mts';

const { values: options } = parseArgs({
	options: {
		short: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
	},
});

/** Under four minutes: enough for the floors. */
async function short(n8n: N8n, service: Service): Promise<Row[]> {
	const size = { count: 1000, latency: 25, rounds: 3 };
	return [
		await reads(n8n, service, 'by expression', size),
		await reads(n8n, service, 'fixed', size),
		await pages(n8n, service, { count: 50, latency: 25, rounds: 3 }),
		...(await uploads(n8n, service, { megabytes: 512, rounds: 3 })),
		...(await loading(3)),
	];
}

async function full(n8n: N8n, service: Service): Promise<Row[]> {
	const rows: Row[] = [];
	for (const parameter of ['by expression', 'fixed'] as const) {
		for (const latency of [0, 25]) {
			rows.push(await reads(n8n, service, parameter, { count: 1000, latency, rounds: 5 }));
			rows.push(await reads(n8n, service, parameter, { count: 10_000, latency, rounds: 3 }));
		}
	}
	rows.push(await memoryOfReads(n8n, service, 10_000));
	for (const latency of [0, 25]) {
		rows.push(await pages(n8n, service, { count: 200, latency, rounds: 3 }));
	}
	rows.push(await traces(n8n, service, 3));
	for (const megabytes of [64, 512, 2048]) {
		rows.push(...(await uploads(n8n, service, { megabytes, rounds: 3 })));
	}
	rows.push(...(await limit(n8n, service, 3)));
	rows.push(await trigger(n8n, service, 200));
	rows.push(...(await loading(5)));
	return rows;
}

const service = await startService();
const n8n = await startMeasuredN8n(service.url);
try {
	const rows = await (options.short ? short(n8n, service) : full(n8n, service));
	printTable(rows);
	await keep(rows);
	const broken = fallen(rows, options.short);
	for (const words of broken) console.error(words);
	process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
	await n8n.stop();
	service.stop();
}

/** The figures as JSON; with --write those of a whole run go into the documentation, too. */
async function keep(rows: readonly Row[]): Promise<void> {
	const file = join(root, '.cache', 'bench', options.short ? 'short.json' : 'full.json');
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, JSON.stringify({ ...machine(), rows }, null, '\t'));
	console.log(`\nThe figures lie in ${file}`);
	if (options.write && !options.short) await writePages(rows);
}
