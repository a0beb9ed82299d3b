import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../demo/tools/paths.mjs';
import { filled } from './markers.mts';

/** By page, then by the name in its markers. */
export type Made = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Puts what was made between the markers of its pages, or tells which pages do not hold it. */
export async function madePages(
	made: Made,
	{ isWritten }: { readonly isWritten: boolean },
): Promise<readonly string[]> {
	const problems = [];
	for (const [page, parts] of Object.entries(made)) {
		problems.push(...(await madePage(page, parts, isWritten)));
	}
	return problems;
}

async function madePage(
	page: string,
	parts: Made[string],
	isWritten: boolean,
): Promise<readonly string[]> {
	const file = join(root, page);
	if (!existsSync(file)) return [`${page} does not exist`];
	const before = await readFile(file, 'utf8');
	const { text, problems } = filled(before, parts);
	if (problems.length > 0) return problems.map((problem) => `${page}: ${problem}`);
	const after = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
	if (after === before) return [];
	if (!isWritten) return [`${page} does not show what the code does; npm run docs renews it`];
	await writeFile(file, after);
	return [];
}
