import { createWriteStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { certificateFile, isN8n1, logFile, userFolder } from '../../tools/paths.mjs';
import { findFreePort } from '../../tools/ports.mts';
import { type ServiceProcess, startServiceProcess } from './serviceProcess.mts';
import { fetchFromN8n } from './session.mts';

export interface Installed {
	node: string;
	script: string;
	env: NodeJS.ProcessEnv;
}

/** A pattern for environment variables that a user may have set for another n8n. They must not affect this n8n. */
const FOREIGN_VARIABLE_PATTERN =
	/^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|WORKFLOWS|NODES|EXTERNAL|WEBHOOK)_/;

/** The settings that turn off requests to n8n's makers, notices, and warnings about defaults. */
const QUIET_SETTINGS = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
};

/**
 * A module of n8n that requests a list from n8n's makers. A setting disables it, but only if n8n has the module:
 * otherwise n8n would not start.
 */
const ASKING_MODULE = 'mcp-registry';

/** The process that serves the editor and the API. */
export interface N8nServer extends ServiceProcess {
	url: string;
}

/** The folder and the settings of a process of n8n. */
interface N8nHome {
	folder: string;
	log: string;
	settings?: Readonly<Record<string, string>>;
}

/** Starts an n8n that only this machine can reach. Its data is in the demo's folder. */
export async function startN8n(
	installed: Installed,
	port: number,
	settings: N8nHome['settings'] = {},
): Promise<N8nServer> {
	const url = `http://127.0.0.1:${port}`;
	const own = {
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false',
	};
	const home = { folder: userFolder, log: logFile, settings: { ...settings, ...own } };
	const program = await buildN8nProgram(installed, 'start', home);
	const part = await startServiceProcess({
		...program,
		name: 'n8n',
		isUp: async () => await isAnswering(url),
	});
	return { ...part, url };
}

/** Builds the description of a process of n8n, which runs the given command. */
export async function buildN8nProgram(installed: Installed, command: string, home: N8nHome) {
	const inherited = Object.entries(installed.env).filter(
		([name]) => !FOREIGN_VARIABLE_PATTERN.test(name),
	);
	const env = {
		...Object.fromEntries(inherited),
		...QUIET_SETTINGS,
		...(hasModule(installed, ASKING_MODULE) && { N8N_DISABLED_MODULES: ASKING_MODULE }),
		// Without this setting, n8n 1 mixes the transactions of simultaneous requests.
		...(isN8n1 && { DB_SQLITE_POOL_SIZE: '4' }),
		...home.settings,
		N8N_USER_FOLDER: home.folder,
		N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		NODE_EXTRA_CA_CERTS: certificateFile,
		// If this variable is set, the gRPC library trusts only the certificates in the file.
		GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: certificateFile,
	};
	const log = createWriteStream(home.log);
	const onLine = (line: string) => void log.write(`${line}\n`);
	return {
		command: installed.node,
		options: [installed.script, command],
		cwd: home.folder,
		env,
		onLine,
	};
}

function hasModule({ script }: Installed, name: string): boolean {
	return existsSync(join(dirname(script), '..', 'dist', 'modules', name));
}

/**
 * Returns whether n8n is ready. Before, it answers `/rest/settings` with a page that says it is starting.
 * After a crash, it first ends the old executions. It serves its types last, and only to users who are logged in.
 */
async function isAnswering(url: string): Promise<boolean> {
	try {
		const answer = await fetchFromN8n(`${url}/rest/settings`);
		const isReady = answer.ok && (answer.headers.get('content-type') ?? '').includes('json');
		const types = await fetchFromN8n(`${url}/types/nodes.json`, { method: 'HEAD' });
		return isReady && types.status !== 404;
	} catch {
		return false;
	}
}
