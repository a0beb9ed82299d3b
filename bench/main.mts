import { parseArgs } from 'node:util';
import { stopPrograms } from '../tools/processes.mjs';
import { formatError } from '../tools/userError.mjs';
import { findBroken } from './floors.mts';
import { openRows } from './kept.mts';
import { startMeasuredN8n } from './n8n.mts';
import { writePages } from './pages.mts';
import { createFullPlan, createShortPlan } from './plan.mts';
import { printTable } from './report.mts';
import { startMeasuredService } from './service.mts';

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
	console.error(formatError(error));
	process.exitCode = 1;
} finally {
	await stopPrograms();
}

async function isFastEnough(): Promise<boolean> {
	const service = await startMeasuredService();
	try {
		const n8n = await startMeasuredN8n(service.url);
		const plan = (options.short ? createShortPlan : createFullPlan)(n8n, service);
		const chosen = plan.filter(([name]) => only?.includes(name) ?? true);
		if (chosen.length === 0) {
			const names = new Set(plan.map(([name]) => name));
			throw new Error(`--only takes one of: ${[...names].join(', ')}`);
		}
		const kept = await openRows(options.short ? 'short' : 'full', !only);
		for (const [, measure] of chosen) await kept.add(await measure());
		await n8n.stop();
		printTable(kept.rows());
		console.log(`\nThe figures lie in ${kept.file}`);
		if (options.write && !options.short) await writePages(kept.rows());
		const broken = findBroken(kept.rows(), options.short);
		for (const words of broken) console.error(words);
		return broken.length === 0;
	} finally {
		service.stop();
	}
}
