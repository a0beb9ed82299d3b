import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of all data of the demo. Git ignores it. */
export const dataFolder = process.env.CHAIN_INFRA_DATA ?? join(root, '.demo');
/** The folder of the packed packages. Every n8n of this clone loads them from here. */
export const packedFolder = join(root, '.cache', 'packed');
/**
 * The folder of n8n's data, into which n8n unpacks its editor. The name `node_modules` keeps the lint of the root away
 * from it.
 */
export const userFolder = join(dataFolder, 'node_modules', 'n8n');
export const logFile = join(dataFolder, 'n8n.log');
/** The certificate that clients of the sandbox's TLS server trust. */
export const certificateFile = join(dataFolder, 'sandbox.pem');
export const n8nPackage = fileURLToPath(new URL('../demo/n8n', import.meta.url));

export const { name: packageName } = readJson(join(root, 'package.json'));
const lockedVersion = readJson(join(n8nPackage, 'package.json')).dependencies.n8n;
/** The version of n8n: the one in the lockfile, unless the environment sets another. */
export const n8nVersion = process.env.N8N_VERSION || lockedVersion;
/** Whether n8n has version 1, whose APIs for executions and activation differ. */
export const isN8n1 = n8nVersion.startsWith('1.');
export const isLocked = n8nVersion === lockedVersion;

const lockfile = readFileSync(join(n8nPackage, 'package-lock.json'));
const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
/** The folder of cached installations. It is outside of the repository, so that all clones share it. */
export const cacheFolder = join(getUserCache(), packageName);
export const n8nHome = join(
	cacheFolder,
	isLocked ? `n8n-${n8nVersion}-${hash}` : `n8n-${n8nVersion}`,
);

function getUserCache() {
	if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
	if (process.platform !== 'win32') return join(homedir(), '.cache');
	return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
}

function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}
