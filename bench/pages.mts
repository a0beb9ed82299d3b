import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../tools/paths.mjs';
import { withFigures } from './readme.mts';
import { formatPage } from './report.mts';
import type { Row } from './rounds.mts';

/** Writes the figures to their page, and the most important of them to the README. */
export async function writePages(rows: readonly Row[]): Promise<void> {
	await writeMarkdown(join(root, 'docs', 'benchmarks.md'), formatPage(rows));
	const readme = join(root, 'README.md');
	await writeMarkdown(readme, withFigures(await readFile(readme, 'utf8'), rows));
}

async function writeMarkdown(file: string, text: string): Promise<void> {
	const settings = { ...(await resolveConfig(file)), parser: 'markdown' } as const;
	await writeFile(file, await format(text, settings));
}
