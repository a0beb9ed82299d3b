// This reporter for Node's test runner lists the failed tests, and stores their names for a second run.
// In `.ci/run all`, a skipped test counts as failed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const file = join(import.meta.dirname, '..', '.cache', 'e2e', 'failed.txt');

export default async function* reportFailedTests(events) {
	const names = [];
	const failed = [];
	for await (const { type, data } of events) {
		if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
		const isSkipped = type === 'test:pass' && data.skip !== undefined && process.env.ALL_CASES;
		const isFailed = type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed';
		if (!isSkipped && !isFailed) continue;
		failed.push([...names.slice(0, data.nesting), data.name].join(' › ').replace(/\s+/g, ' '));
	}
	const lines = failed.map((name) => `${name}\n`).join('');
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, lines);
	yield lines && `Failed:\n${lines}`;
}
