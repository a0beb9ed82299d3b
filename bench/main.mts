import { parseArgs } from 'node:util';
import { stopAll } from '../demo/tools/processes.mjs';
import { wordsOf } from '../demo/tools/trouble.mjs';
import { fallen } from './floors.mts';
import { keptRows } from './kept.mts';
import { startMeasuredN8n } from './n8n.mts';
import { writePages } from './pages.mts';
import { full, short } from './plan.mts';
import { printTable } from './report.mts';
import { startService } from './service.mts';

const { values: options } = parseArgs({
	options: {
		short: { type: 'boolean', default: false },
		only: { type: 'string', multiple: true },
		write: { type: 'boolean', default: false },
	},
});
const { only } = options;

try {
	process.exitCode = (await isFastEnough()) ? 0 : 1;
} catch (error) {
	console.error(wordsOf(error));
	process.exitCode = 1;
} finally {
	await stopAll();
}

async function isFastEnough(): Promise<boolean> {
	const service = await startService();
	try {
		const n8n = await startMeasuredN8n(service.url);
		const plan = (options.short ? short : full)(n8n, service);
		const chosen = plan.filter(([name]) => only?.includes(name) ?? true);
		if (chosen.length === 0) {
			const names = new Set(plan.map(([name]) => name));
			throw new Error(`--only takes one of: ${[...names].join(', ')}`);
		}
		const kept = await keptRows(options.short ? 'short' : 'full', !only);
		for (const [, measure] of chosen) await kept.add(await measure());
		await n8n.stop();
		printTable(kept.rows());
		console.log(`\nThe figures lie in ${kept.file}`);
		if (options.write && !options.short) await writePages(kept.rows());
		const broken = fallen(kept.rows(), options.short);
		for (const words of broken) console.error(words);
		return broken.length === 0;
	} finally {
		service.stop();
	}
}
