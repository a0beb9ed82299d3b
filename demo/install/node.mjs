import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, n8nHome } from '../tools/paths.mjs';
import { isPlaced } from '../tools/placed.mjs';
import { run } from '../tools/processes.mjs';
import { inTurn } from '../tools/turn.mjs';

/** What n8n runs on. */
const MAJOR = 24;
const isWindows = process.platform === 'win32';
const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const ownHome = join(cacheFolder, `node-${MAJOR}`);

/** The Node that n8n needs: that of its lockfile, else this process's own, else one that is installed for it. */
export async function node24() {
	return binary() ?? (await inTurn(join(ownHome, '.installing'), install));
}

async function install() {
	// Another start may have done it while this one waited.
	const known = binary();
	if (known) return known;
	// What was broken off may be half a program.
	await rm(join(ownHome, 'node_modules'), { recursive: true, force: true });
	const options = ['install', '--prefix', ownHome, '--ignore-scripts', '--loglevel', 'error'];
	await run('npm', [...options, `${name}@${MAJOR}`], { cwd: ownHome });
	return binary();
}

function binary() {
	const own = Number(process.versions.node.split('.')[0]) === MAJOR ? [process.execPath] : [];
	const [locked, later] = [n8nHome, ownHome].map((home) =>
		isPlaced(home)
			? [join(home, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')]
			: [],
	);
	return [...locked, ...own, ...later].find((file) => existsSync(file));
}
