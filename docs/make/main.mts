import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../tools/paths.mjs';
import { formatError } from '../../tools/userError.mjs';
import { formatExamplesByTask } from './pages/examples.mts';
import { makeFamilyParts } from './pages/families.mts';
import { findBrokenLinks } from './pages/links.mts';
import { makePages, type MadeParts } from './pages/pages.mts';
import { reviewProse } from './pages/prose.mts';
import { findUnsaidMessages } from './pages/quoted.mts';
import { makeSchemaFiles } from './pages/schemas.mts';

const { values: options } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		pictures: { type: 'boolean', default: false },
	},
});

try {
	process.exitCode = (await makeDocumentation()) ? 0 : 1;
} catch (error) {
	console.error(formatError(error));
	process.exitCode = 1;
}

async function makeDocumentation(): Promise<boolean> {
	if (options.pictures) {
		const { takePictures } = await import('./pictures/take.mts');
		await takePictures();
	}
	const isWritten = !options.check;
	const problems = [...(await makePages(await readParts(), { isWritten }))];
	problems.push(...(await makeSchemaFiles(await readMade('schemas.json'), { isWritten })));
	problems.push(...(await findBrokenLinks()), ...findUnsaidMessages());
	const { report, problems: heavy } = await reviewProse(root);
	for (const line of report) console.log(line);
	problems.push(...heavy);
	for (const problem of problems) console.error(problem);
	console.log(problems.length === 0 ? 'The documentation is that of the code' : '');
	return problems.length === 0;
}

/** Returns the texts for the marked parts of all pages. */
async function readParts(): Promise<MadeParts> {
	runEngine();
	const made: MadeParts = await readMade('parts.json');
	const examples = await formatExamplesByTask(join(root, 'examples'));
	return {
		...made,
		'docs/families.md': makeFamilyParts(),
		'docs/recipes.md': { examples },
	};
}

/** Reads a file of results that the runs of the nodes have left. */
async function readMade<Made>(name: string): Promise<Made> {
	return JSON.parse(await readFile(join(root, '.cache', 'docs', name), 'utf8')) as Made;
}

/** Runs the nodes under Jest, as the tests do. The output of Jest is shown only after a failure. */
function runEngine(): void {
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const config = join(root, 'docs', 'make', 'jest.config.mjs');
	const settings = { cwd: root, encoding: 'utf8' } as const;
	const run = spawnSync(process.execPath, [jest, '--config', config], settings);
	if (run.status === 0) return;
	console.error(run.stderr);
	process.exit(1);
}
