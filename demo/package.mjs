import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder, packageName, packageVersion, root, userFolder } from './paths.mjs';
import { run } from './processes.mjs';
import { step } from './progress.mjs';

const SOURCES = [
	'credentials',
	'icons',
	'nodes',
	'LICENSE.md',
	'README.md',
	'package-lock.json',
	'package.json',
	'tsconfig.json',
];

const packed = join(dataFolder, 'packed');
const tarball = join(dataFolder, `${packageName}-${packageVersion}.tgz`);

/** Builds the package and packs it as it would be published, unless nothing has changed since. */
export async function packPackage() {
	const now = await fingerprint();
	if (existsSync(tarball) && existsSync(packed) && (await readFile(packed, 'utf8')) === now) return;
	await step('Building and packing the package', async () => {
		await run('npm', ['run', 'build'], { cwd: root });
		const options = ['--ignore-scripts', '--pack-destination', dataFolder, '--loglevel', 'error'];
		await run('npm', ['pack', ...options], { cwd: root });
	});
	await writeFile(packed, now);
}

/** Of every file that the build or the tarball is made of. */
async function fingerprint() {
	const hash = createHash('sha256');
	for (const source of SOURCES) {
		const entries = await readdir(join(root, source), { recursive: true }).catch(() => ['']);
		for (const entry of entries.sort()) {
			const file = join(root, source, entry);
			if ((await stat(file)).isFile()) hash.update(file).update(await readFile(file));
		}
	}
	return hash.digest('hex');
}

/** Puts the tarball where n8n loads community packages from, as n8n's own installer does. */
export async function placePackage() {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', packageName);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	await dropPeers(join(folder, 'package.json'));
	await writeJson(join(nodes, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [packageName]: packageVersion },
	});
}

/** n8n provides what a package takes from it; so its installer leaves these out. */
async function dropPeers(file) {
	const { devDependencies, peerDependencies, optionalDependencies, ...rest } = JSON.parse(
		await readFile(file, 'utf8'),
	);
	void [devDependencies, peerDependencies, optionalDependencies];
	if (rest.dependencies) throw new Error('The package has dependencies: they must be installed.');
	await writeJson(file, rest);
}

async function writeJson(file, value) {
	await writeFile(file, JSON.stringify(value, null, 2));
}
