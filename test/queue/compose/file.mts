import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A service of compose.yaml in the form in which a compose parser prints it. */
export interface Service {
	readonly image: string;
	readonly build?: { readonly dockerfile: string };
	readonly command?: string | readonly string[] | null;
	readonly environment?: Readonly<Record<string, string>>;
	readonly volumes?: ReadonlyArray<string | { readonly source: string; readonly target: string }>;
	readonly ports?: ReadonlyArray<string | { readonly host_ip: string; readonly target: number }>;
	readonly healthcheck?: { readonly test: readonly string[] };
	readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
	readonly deploy?: { readonly replicas?: number };
	readonly restart?: string;
}

export type Services = Readonly<Record<string, Service>>;

const root = join(import.meta.dirname, '..', '..', '..');
export const SECRETS = { N8N_ENCRYPTION_KEY: 'a key of the test', POSTGRES_PASSWORD: 'p4ss' };

/** The commands that parse compose files: the package of Debian and Ubuntu, and the plugin of newer systems. */
const PARSERS = [['docker-compose'], ['docker', 'compose']] as const;

/** Finds a compose parser on this machine. It reads the file without a running daemon. */
export function findParser(): readonly string[] | undefined {
	return PARSERS.find(([command, ...options]) => {
		const { status, stdout } = spawnSync(command, [...options, 'version'], { encoding: 'utf8' });
		return status === 0 && /compose/i.test(stdout);
	});
}

/** Returns what the parser prints for a compose file, or its error. */
export function read(
	parser: readonly string[],
	settings: Readonly<Record<string, string>>,
	file = 'compose.yaml',
): { services: Services } | { refused: string } {
	const [command = '', ...options] = parser;
	const { PATH, HOME } = process.env;
	const run = spawnSync(command, [...options, '--file', file, 'config'], {
		cwd: root,
		encoding: 'utf8',
		env: { PATH, HOME, ...settings },
	});
	if (run.status !== 0) return { refused: run.stderr };
	return parse(run.stdout) as { services: Services };
}

export function wordsOf(command: Service['command']): readonly string[] {
	return typeof command === 'string' ? command.split(' ') : (command ?? []);
}
