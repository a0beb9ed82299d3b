import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packages } from '../../demo/install/packages.mjs';
import { measureInRounds, OURS, type Row } from '../rounds.mts';

/** A script that measures the cost of the package at the start of n8n, and the cost of loading all its nodes. */
const LOADING_SCRIPT = `
require('reflect-metadata');
const { LazyPackageDirectoryLoader, PackageDirectoryLoader } = require('n8n-core');
const [home] = process.argv.slice(1);
const timed = async (loader) => {
	const begun = performance.now();
	await loader.loadAll();
	return performance.now() - begun;
};
(async () => {
	const asN8n = new LazyPackageDirectoryLoader(home);
	const starting = await timed(asN8n);
	if (!asN8n.isLazyLoaded) throw new Error('n8n would load all nodes at its start');
	const using = await timed(new PackageDirectoryLoader(home));
	const bytes = asN8n.types.nodes.map((node) => [node.displayName, JSON.stringify(node).length]);
	console.log(JSON.stringify({ starting, using, bytes }));
})();
`;

interface LoadingTimes {
	readonly starting: number;
	readonly using: number;
	readonly bytes: ReadonlyArray<readonly [string, number]>;
}

async function runLoading(): Promise<LoadingTimes> {
	const home = packages[0]?.home ?? '.';
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOADING_SCRIPT, home], {
		cwd: home,
	});
	return JSON.parse(stdout) as LoadingTimes;
}

export async function measureLoading(rounds: number): Promise<Row[]> {
	const rows = [
		await measureInRounds(
			{ work: 'Load the package when n8n starts', unit: 'ms', rounds },
			{ [OURS]: async () => (await runLoading()).starting },
		),
		await measureInRounds(
			{ work: 'Load the code of all nodes', unit: 'ms', rounds },
			{ [OURS]: async () => (await runLoading()).using },
		),
	];
	for (const [name, size] of (await runLoading()).bytes) {
		const described = { work: `Description of ${name}`, unit: 'kB', rounds: 1 };
		rows.push(await measureInRounds(described, { [OURS]: async () => size / 1000 }));
	}
	return rows;
}
