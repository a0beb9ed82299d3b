import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../tools/paths.mjs';
import { fillPage } from './markers.mts';

/** The generated parts of all pages. The first key is the page, and the second is the name in the markers. */
export type MadeParts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes the parts between the markers of their pages. Without `isWritten`, it reports the outdated pages. */
export async function makePages(
	made: MadeParts,
	{ isWritten }: { readonly isWritten: boolean },
): Promise<readonly string[]> {
	const problems = [];
	for (const [page, parts] of Object.entries(made)) {
		problems.push(...(await makePage(page, parts, isWritten)));
	}
	return problems;
}

async function makePage(
	page: string,
	parts: MadeParts[string],
	isWritten: boolean,
): Promise<readonly string[]> {
	const file = join(root, page);
	if (!existsSync(file)) return [`${page} does not exist`];
	const before = await readFile(file, 'utf8');
	const { text, problems } = fillPage(before, parts);
	if (problems.length > 0) return problems.map((problem) => `${page}: ${problem}`);
	const after = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
	if (after === before) return [];
	if (!isWritten) return [`${page} does not show what the code does; npm run docs renews it`];
	await writeFile(file, after);
	return [];
}
