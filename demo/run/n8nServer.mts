import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateFile, logFile, userFolder } from '../tools/paths.mjs';
import { start } from '../tools/processes.mjs';

export interface Installed {
	node: string;
	script: string;
	env: NodeJS.ProcessEnv;
}

const PATIENCE = 180_000;

/** What someone set for an n8n of their own must not reach this one. */
const FOREIGN = /^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|WORKFLOWS|NODES|EXTERNAL|WEBHOOK)_/;

/** No calls home, no notices, and said outright what n8n would warn about otherwise. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// It asks n8n's makers for a list.
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	// It asks the registry for news of packages that no registry has.
	NPM_CONFIG_FETCH_RETRIES: '0',
};

export interface Server {
	url: string;
	/** What n8n has printed lately. */
	output: string[];
	exited: Promise<number>;
	stop: () => Promise<void>;
	kill: () => Promise<void>;
}

/** An n8n on this machine only, whose data lives in the demo's folder. */
export async function startN8n(
	installed: Installed,
	port: number,
	brokerPort: number,
	settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
	const url = `http://127.0.0.1:${port}`;
	const inherited = Object.entries(installed.env).filter(([name]) => !FOREIGN.test(name));
	const env = {
		...Object.fromEntries(inherited),
		...QUIET,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_SECURE_COOKIE: 'false',
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		NODE_EXTRA_CA_CERTS: certificateFile,
		// Where it is set, the gRPC library trusts nothing else.
		GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: certificateFile,
		...settings,
	};
	const log = createWriteStream(logFile, { flags: 'a' });
	const onLine = (line: string) => void log.write(`${line}\n`);
	const program = start(installed.node, [installed.script, 'start'], {
		cwd: userFolder,
		env,
		onLine,
	});
	await ready(url, program.exited, program.output);
	const { output, exited, stop, kill } = program;
	return { url, output, exited, stop, kill };
}

async function ready(url: string, exited: Promise<number>, output: string[]): Promise<void> {
	const deadline = Date.now() + PATIENCE;
	const ended = exited.then((code) => {
		throw new Error(`n8n ended with code ${code}\n${output.join('\n')}`);
	});
	while (Date.now() < deadline) {
		if (await Promise.race([isUp(url), ended])) return;
		await Promise.race([sleep(250), ended]);
	}
	throw new Error(`n8n was not ready within ${PATIENCE / 1000} s\n${output.join('\n')}`);
}

/** The settings are there once everything is: before, n8n answers with a page that says it is starting. */
async function isUp(url: string): Promise<boolean> {
	try {
		const answer = await fetch(`${url}/rest/settings`);
		return answer.ok && (answer.headers.get('content-type') ?? '').includes('json');
	} catch {
		return false;
	}
}
