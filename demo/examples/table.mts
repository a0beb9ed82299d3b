import type { Result } from './run.mts';

const MARKS = { succeeded: 'ok', failed: 'FAILED', imported: 'imported' };

export function printTable(results: readonly Result[]): void {
	const rows = results.map(({ example, outcome, message: words }) => [
		example,
		MARKS[outcome],
		words,
	]);
	const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
	const [first, second] = [width(0), width(1)];
	console.log();
	for (const [example = '', mark = '', words = ''] of rows) {
		console.log(`${example.padEnd(first)}  ${mark.padEnd(second)}  ${words}`);
	}
}
