import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packedFolder, root, userFolder } from '../../tools/paths.mjs';
import { runProgram } from '../../tools/processes.mjs';
import { formatStep, runStep } from '../../tools/progress.mjs';
import { buildNodes } from './build.mjs';

const BUILD_SCRIPT = join('scripts', 'build.mjs');
const PACKAGE_SOURCES = [
	'credentials',
	'icons',
	'nodes',
	'LICENSE.md',
	'README.md',
	'package-lock.json',
	'package.json',
	'tsconfig.json',
];

/**
 * The npm settings of n8n's folder. They stop requests to the registry about packages that no registry has.
 * The editor asks for every node that is added, and hangs once all connections of the browser are in use. n8n 1 passes
 * no variables that could stop this.
 */
const OFFLINE_NPMRC = 'offline=true\n';

/** The packages of this repository that n8n gets. The second and the third bundle parts of the first. */
export const packages = [
	describePackage({ folder: '.', sources: PACKAGE_SOURCES }),
	describePackage({
		folder: 'grpc',
		sources: [...PACKAGE_SOURCES, 'grpc', 'scripts'],
	}),
	describePackage({
		folder: 'signer',
		sources: [...PACKAGE_SOURCES, 'signer', 'scripts'],
	}),
];

function describePackage({ folder, sources }) {
	const home = join(root, folder);
	const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
	const file = join(packedFolder, `${manifest.name}-${manifest.version}`);
	return { folder, sources, home, manifest, tarball: `${file}.tgz`, packed: `${file}.packed` };
}

/** Builds the packages and packs them as for publication, unless their sources are unchanged. */
export async function packPackages() {
	const wanted = [];
	for (const one of packages) {
		const now = await hashSources(one.sources);
		if (!(await isPacked(one, now))) wanted.push({ ...one, now });
	}
	if (wanted.length === 0)
		return console.log(formatStep('nodes', 'The nodes of this repository are built and packed'));
	await runStep('nodes', 'Building and packing the nodes of this repository', async () => {
		for (const one of wanted) await pack(one);
	});
}

async function isPacked({ tarball, packed }, now) {
	return existsSync(tarball) && existsSync(packed) && (await readFile(packed, 'utf8')) === now;
}

async function pack({ folder, home, packed, now }) {
	// The old tarball is removed first, so that no outdated tarball stays if the build fails.
	await rm(packed, { force: true });
	await (folder === '.'
		? buildNodes()
		: runProgram(process.execPath, [BUILD_SCRIPT], { cwd: home }));
	await mkdir(packedFolder, { recursive: true });
	const options = ['--ignore-scripts', '--pack-destination', packedFolder, '--loglevel', 'error'];
	await runProgram('npm', ['pack', ...options], { cwd: home });
	await writeFile(packed, now);
}

/** Computes a hash of all files that the build and the tarball depend on. */
async function hashSources(sources) {
	const hash = createHash('sha256');
	for (const source of sources) {
		const entries = await readdir(join(root, source), { recursive: true }).catch(() => ['']);
		for (const entry of entries.filter((one) => !/^dist\b/.test(one)).sort()) {
			const file = join(root, source, entry);
			if ((await stat(file)).isFile()) hash.update(file).update(await readFile(file));
		}
	}
	return hash.digest('hex');
}

/** Puts the packages into the folder where n8n installs community packages. */
export async function placePackages(home = userFolder) {
	const nodes = join(home, '.n8n', 'nodes');
	for (const { manifest, tarball } of packages) {
		const folder = join(nodes, 'node_modules', manifest.name);
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		await runProgram('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
		await removePeerDependencies(join(folder, 'package.json'));
	}
	await writeJson(join(nodes, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: Object.fromEntries(
			packages.map(({ manifest }) => [manifest.name, manifest.version]),
		),
	});
	await writeFile(join(nodes, '.npmrc'), OFFLINE_NPMRC);
}

/** Removes the peer dependencies from a manifest, as n8n's installer does. n8n provides them itself. */
async function removePeerDependencies(file) {
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
