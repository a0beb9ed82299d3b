import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packageName, root, userFolder } from '../../tools/paths.mjs';
import { startProgram } from '../../tools/processes.mjs';

const COMPILER_SCRIPT = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
/** The line that the compiler prints after it has written all files. */
const COMPILED_PATTERN = /Found \d+ errors?\. Watching for file changes\./;

/**
 * Compiles the nodes into the folder from which n8n loads them, now and whenever a file is saved.
 * The other packages bundle their libraries, and stay as they were packed.
 */
export async function watchNodes(): Promise<void> {
	const dist = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName, 'dist');
	// The lists of nodes are removed, so that n8n reads the nodes themselves and sees changes of their descriptions.
	for (const list of ['known', 'types']) {
		await rm(join(dist, list), { recursive: true, force: true });
	}
	await new Promise<void>((resolve, reject) => {
		const options = ['--watch', '--preserveWatchOutput', '--outDir', dist];
		const onLine = (line: string) => {
			if (COMPILED_PATTERN.test(line)) resolve();
			if (line.trim() !== '') console.log(`  ${line}`);
		};
		const compiler = startProgram(process.execPath, [COMPILER_SCRIPT, ...options], {
			cwd: root,
			onLine,
		});
		void compiler.exited.then((code) =>
			reject(new Error(`TypeScript's compiler ended with code ${code}`)),
		);
	});
}
