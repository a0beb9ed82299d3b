import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join, sep } from 'node:path';
import { n8nHome, root } from '../../tools/paths.mjs';
import { runProgram } from '../../tools/processes.mjs';

const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const SCHEMA_PATTERN = /(^|[\\/])__schema__[\\/].*\.json$/;

/**
 * Builds the same files as `npm run build` with fewer packages, and does not check types. A package of n8n writes the
 * lists of nodes. The package is in this repository or in the installed n8n.
 */
export async function buildNodes() {
	await compileNodes(root, join(root, 'dist'));
	const modules = [root, n8nHome].map((home) => join(home, 'node_modules'));
	const script = join('n8n-core', 'bin', 'generate-metadata');
	const found = modules.map((folder) => join(folder, script)).find(existsSync);
	if (!found) throw new Error("n8n's package that lists the nodes is not installed.");
	// NODE_PATH lets the nodes find n8n's packages in these folders.
	const env = { ...process.env, NODE_PATH: modules.join(delimiter) };
	await runProgram(process.execPath, [found], { cwd: root, env });
}

/** Compiles the nodes of a folder, and copies icons and schemas. */
export async function compileNodes(home, dist) {
	await rm(dist, { recursive: true, force: true });
	await runProgram(process.execPath, [COMPILER, '--noCheck', '--outDir', dist], { cwd: home });
	await cp(join(home, 'icons'), join(dist, 'icons'), { recursive: true });
	const files = await readdir(join(home, 'nodes'), { recursive: true });
	for (const file of files.filter((one) => SCHEMA_PATTERN.test(one.replaceAll(sep, '/')))) {
		await cp(join(home, 'nodes', file), join(dist, 'nodes', file));
	}
}
