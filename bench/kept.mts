import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../tools/paths.mjs';
import { describeMachine } from './report.mts';
import type { Row } from './rounds.mts';

/** Opens the file of measured rows. An interrupted run loses no rows, and a run with `--only` replaces some of them. */
export async function openRows(form: 'short' | 'full', isFresh: boolean) {
	const file = join(root, '.cache', 'bench', `${form}.json`);
	await mkdir(dirname(file), { recursive: true });
	let rows: Row[] = isFresh ? [] : await readRows(file);
	return {
		file,
		rows: () => rows,
		add: async (measured: readonly Row[]) => {
			for (const row of measured) rows = withRow(rows, { ...row, taken: describeMachine() });
			await writeFile(file, JSON.stringify({ rows }, null, '\t'));
		},
	};
}

async function readRows(file: string): Promise<Row[]> {
	const text = await readFile(file, 'utf8').catch(() => '{"rows":[]}');
	return (JSON.parse(text) as { rows: Row[] }).rows;
}

/** Replaces the benchmark row of the same work, or adds the row if there is none. */
function withRow(rows: readonly Row[], row: Row): Row[] {
	const isKnown = rows.some(({ work }) => work === row.work);
	return isKnown ? rows.map((one) => (one.work === row.work ? row : one)) : [...rows, row];
}
