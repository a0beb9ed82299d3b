import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { n8nHome, n8nPackage, n8nVersion } from '../tools/paths.mjs';
import { run } from '../tools/processes.mjs';
import { step } from '../tools/progress.mjs';
import { Trouble } from '../tools/trouble.mjs';

const NODE_MAJOR = 24;
const finished = join(n8nHome, '.finished');

/** The n8n of the lockfile and a Node that it runs on, installed once for all clones. */
export async function installN8n() {
	if (!existsSync(finished)) await install();
	const node = nodeBinary();
	return {
		node,
		script: join(n8nHome, 'node_modules', 'n8n', 'bin', 'n8n'),
		env: {
			...process.env,
			// n8n's task runners start `node` by its name.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
			// Halves what n8n's start takes, from the second on.
			NODE_COMPILE_CACHE: join(n8nHome, 'compiled'),
		},
	};
}

async function install() {
	await mkdir(n8nHome, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		await copyFile(join(n8nPackage, file), join(n8nHome, file));
	}
	// Without a registry a whole installation retries for many minutes; one question fails at once.
	await npm('view', `n8n@${n8nVersion}`, 'version', '--fetch-retries=0', '--loglevel', 'error');
	await step(`Installing n8n ${n8nVersion} (once: about five minutes and 2.7 GB)`, async () => {
		await npm('ci', '--ignore-scripts', '--loglevel', 'error');
	});
	if (!nodeBinary()) {
		await step(`Installing Node ${NODE_MAJOR} for it`, async () => {
			await npm('install', '--prefix', join(n8nHome, 'node'), `${nodePackage()}@${NODE_MAJOR}`);
		});
	}
	// The one package whose install script n8n needs.
	await step('Making its database driver', async () => {
		await npm('rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel', 'error');
	});
	await writeFile(finished, '');
}

/** From the lockfile where that has one for this platform, else this process's own, else a later install. */
function nodeBinary() {
	const file = process.platform === 'win32' ? 'node.exe' : 'node';
	const own = Number(process.versions.node.split('.')[0]) === NODE_MAJOR ? [process.execPath] : [];
	const folders = [n8nHome, join(n8nHome, 'node')];
	const [locked, later] = folders.map((folder) =>
		join(folder, 'node_modules', nodePackage(), 'bin', file),
	);
	return [locked, ...own, later].find(existsSync);
}

function nodePackage() {
	const system = process.platform === 'win32' ? 'win' : process.platform;
	return `node-${system}-${process.arch}`;
}

async function npm(...options) {
	try {
		await run('npm', options, { cwd: n8nHome });
	} catch (error) {
		if (!/ENOTFOUND|EAI_AGAIN|ECONN|ENETUNREACH|ETIMEDOUT|network/.test(error.message)) throw error;
		throw new Trouble(
			'n8n could not be downloaded: the package registry cannot be reached. Check the network and start again.',
		);
	}
}
