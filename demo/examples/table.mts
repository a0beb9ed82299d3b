import { FAMILY_NAMES } from './families.mts';
import type { Result } from './run.mts';

const MARKS = { succeeded: 'ok', failed: 'FAILED', imported: 'imported' };

/** Prints the outcomes of the examples, grouped by family. */
export function printTable(results: readonly Result[]): void {
	const width = Math.max(...results.map(({ example }) => example.length));
	for (const family of FAMILY_NAMES) {
		const own = results.filter((one) => one.family === family);
		if (own.length === 0) continue;
		console.log(`\n${family}: ${countOutcomes(own)}`);
		for (const { example, outcome, message } of own) {
			console.log(`  ${example.padEnd(width)}  ${MARKS[outcome].padEnd(8)}  ${message}`);
		}
	}
}

function countOutcomes(results: readonly Result[]): string {
	const ran = results.filter(({ outcome }) => outcome !== 'imported');
	const failed = ran.filter(({ outcome }) => outcome === 'failed');
	return `${ran.length} ran${failed.length > 0 ? `, ${failed.length} failed` : ''}`;
}
