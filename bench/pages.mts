import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../tools/paths.mjs';
import { replaceTables } from './report.mts';
import type { Row } from './rounds.mts';

/** Writes the figures to the page docs/benchmarks.md. */
export async function writePages(rows: readonly Row[]): Promise<void> {
	const file = join(root, 'docs', 'benchmarks.md');
	const settings = {
		...(await resolveConfig(file)),
		parser: 'markdown',
		printWidth: 150,
		proseWrap: 'always',
	} as const;
	const page = replaceTables(await readFile(file, 'utf8'), rows);
	await writeFile(file, await format(page, settings));
}
