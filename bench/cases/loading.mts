import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packages } from '../../demo/install/packages.mjs';
import { inRounds, type Row } from '../rounds.mts';

/** What every n8n pays for having the package: in a process of its own, in which n8n's own library is loaded already. */
const SCRIPT = `
const { join } = require('node:path');
require('n8n-workflow');
const home = process.argv[1];
const { n8n } = require(join(home, 'package.json'));
const begun = performance.now();
const loaded = [...n8n.credentials, ...n8n.nodes].map((file) => require(join(home, file)));
const milliseconds = performance.now() - begun;
const nodes = loaded.flatMap(Object.values).map((Type) => new Type()).filter(({ description }) => description);
const bytes = nodes.map(({ description }) => [description.displayName, JSON.stringify(description).length]);
console.log(JSON.stringify({ milliseconds, bytes }));
`;

interface Loaded {
	readonly milliseconds: number;
	readonly bytes: ReadonlyArray<readonly [string, number]>;
}

async function load(): Promise<Loaded> {
	const home = packages[0]?.home ?? '.';
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', SCRIPT, home], {
		cwd: home,
	});
	return JSON.parse(stdout) as Loaded;
}

export async function loading(rounds: number): Promise<Row[]> {
	const { bytes } = await load();
	const sizes = bytes.map(([name, size]) => [name, async () => size / 1000] as const);
	return [
		await inRounds(
			{ work: 'Loading the package', unit: 'ms', rounds },
			{ ours: async () => (await load()).milliseconds },
		),
		await inRounds(
			{ work: 'Description of a node', unit: 'kB', rounds: 1 },
			Object.fromEntries(sizes),
		),
	];
}
