import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from '../../../tools/paths.mjs';

/** Writes output schemas to their files. Without `isWritten`, reports the files that are outdated. */
export async function makeSchemaFiles(
	made: Readonly<Record<string, unknown>>,
	{ isWritten }: { readonly isWritten: boolean },
): Promise<readonly string[]> {
	const problems = [];
	for (const [name, schema] of Object.entries(made)) {
		const file = join(root, name);
		const known: unknown = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
		if (isDeepStrictEqual(known, schema)) continue;
		if (!isWritten) problems.push(`${name} is not what comes out; npm run docs renews it`);
		else await writeSchema(file, schema);
	}
	return problems;
}

async function writeSchema(file: string, schema: unknown): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(schema)}\n`);
}
