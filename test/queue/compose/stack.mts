import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installN8n } from '../../../demo/install/install.mjs';
import { packPackages, placePackages } from '../../../demo/install/packages.mjs';
import { createLogWriter, getLogFile } from '../../../demo/queue/log.mts';
import { requirePrograms, type Programs } from '../../../demo/queue/programs.mts';
import { buildN8nProgram, type Installed } from '../../../demo/run/n8nServer.mts';
import {
	startServiceProcess,
	type ServiceProcessSettings,
	type ServiceProcess,
} from '../../../demo/run/serviceProcess.mts';
import { fetchFromN8n } from '../../../demo/run/session.mts';
import { certificateFile, dataFolder } from '../../../tools/paths.mjs';
import { findFreePort } from '../../../tools/ports.mts';
import { runProgram } from '../../../tools/processes.mjs';
import { wordsOf, type Service, type Services } from './file.mts';

export interface Stack {
	readonly url: string;
	/**
	 * The names of the services in the order in which they were started. A service with several copies appears several
	 * times.
	 */
	readonly order: readonly string[];
	readonly parts: ReadonlyMap<string, ServiceProcess>;
	/** The folder of files that all n8n processes share. */
	readonly files: string;
	stop(): Promise<void>;
}

interface Ports {
	readonly n8n: number;
	readonly redis: number;
	readonly postgres: number;
}

interface World {
	readonly programs: Programs;
	readonly installed: Installed;
	readonly ports: Ports;
	/** The folder for all data that containers or volumes would hold. */
	readonly folder: string;
}

/** Whether this process is root. PostgreSQL refuses to run as root, so it gets another user, as in its image. */
const isRoot = process.getuid?.() === 0;
const asUser = isRoot
	? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
	: ['env'];

/**
 * Starts the services of compose.yaml as processes. The program of each image must be installed, and each host name
 * becomes this machine.
 */
export async function startStack(services: Services): Promise<Stack> {
	const installed = (await installN8n()) as Installed;
	await mkdir(dataFolder, { recursive: true });
	await packPackages();
	// The empty file avoids n8n's warning about a missing certificate.
	await writeFile(certificateFile, '');
	const ports = {
		n8n: await findFreePort(),
		redis: await findFreePort(),
		postgres: await findFreePort(),
	};
	const folder = await mkdtemp(join(tmpdir(), 'compose-'));
	await chmod(folder, 0o755);
	const world = { programs: requirePrograms(), installed, ports, folder };
	const parts = new Map<string, ServiceProcess>();
	const order: string[] = [];
	for (const name of inOrder(services)) {
		const service = services[name] as Service;
		for (let copy = 1; copy <= (service.deploy?.replicas ?? 1); copy++) {
			const part = await startServiceProcess(await launch(world, name, copy, service));
			order.push(name);
			parts.set(`${name} ${copy}`, part);
		}
	}
	return {
		url: `http://127.0.0.1:${ports.n8n}`,
		order,
		parts,
		files: join(folder, 'files'),
		stop: async () => {
			for (const part of [...parts.values()].reverse()) await part.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Sorts the services so that each comes after the services that it waits for. */
function inOrder(services: Services): readonly string[] {
	const names: string[] = [];
	const add = (name: string) => {
		Object.keys(services[name]?.depends_on ?? {}).forEach(add);
		if (!names.includes(name)) names.push(name);
	};
	Object.keys(services).forEach(add);
	return names;
}

async function launch(
	world: World,
	name: string,
	copy: number,
	service: Service,
): Promise<ServiceProcessSettings> {
	const program = await programOf(world, name, copy, service);
	return {
		isBase: !service.build,
		...program,
		name: `${name} of compose.yaml`,
		// A service without a health check counts as ready when it runs. The tests check its work later.
		isUp: async () => !service.healthcheck || (await isHealthy(world, service.healthcheck.test)),
	};
}

type Program = Omit<ServiceProcessSettings, 'name' | 'isUp' | 'isBase'>;

async function programOf(
	world: World,
	name: string,
	copy: number,
	service: Service,
): Promise<Program> {
	if (service.build) return await n8n(world, name, copy, service);
	if (service.image.startsWith('redis:')) return await redis(world, service);
	if (service.image.startsWith('postgres:')) return await postgres(world, service);
	throw new Error(`It is not known what runs in ${service.image}`);
}

/** Returns the folder of the named volume that is mounted at the target. */
async function volumeAt(world: World, { volumes = [] }: Service, target: string): Promise<string> {
	const sources = volumes.map((one) => {
		if (typeof one !== 'string') return [one.source, one.target];
		return one.split(':');
	});
	const [source] = sources.find(([, where]) => where === target) ?? [];
	if (!source) throw new Error(`Nothing is mounted at ${target}`);
	const folder = join(world.folder, source);
	await mkdir(folder, { recursive: true });
	return folder;
}

async function redis({ ports, programs, ...world }: World, service: Service): Promise<Program> {
	const cwd = await volumeAt({ ports, programs, ...world }, service, '/data');
	const [, ...options] = wordsOf(service.command);
	const here = ['--bind', '127.0.0.1', '--port', String(ports.redis)];
	const onLine = createLogWriter('compose-redis');
	return { command: programs.redis, options: [...options, ...here], cwd, env: process.env, onLine };
}

/**
 * Does the work of the PostgreSQL image's entry point: it creates a user with a password, and a database with the same
 * name.
 */
async function postgres(world: World, service: Service): Promise<Program> {
	const { programs, ports } = world;
	const cwd = await volumeAt(world, service, '/var/lib/postgresql/data');
	const {
		POSTGRES_USER = '',
		POSTGRES_PASSWORD = '',
		POSTGRES_DB = '',
	} = service.environment ?? {};
	const secret = join(world.folder, 'password');
	await writeFile(secret, POSTGRES_PASSWORD);
	if (isRoot) await runProgram('chown', ['postgres', cwd, secret]);
	const [command = '', ...user] = asUser;
	const access = ['-A', 'scram-sha-256', '--pwfile', secret];
	const given = ['-D', cwd, '-U', POSTGRES_USER, ...access, '-E', 'UTF8', '--locale=C'];
	await runProgram(command, [...user, programs.initdb, ...given], { cwd });
	const single = [...user, programs.postgres, '--single', '-D', cwd, 'postgres'];
	const made = promisify(execFile)(command, single, { cwd });
	made.child.stdin?.end(`CREATE DATABASE "${POSTGRES_DB}";\n`);
	await made;
	const here = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
	const options = [...user, programs.postgres, '-D', cwd, '-p', String(ports.postgres), ...here];
	const onLine = createLogWriter('compose-postgres');
	return { command, options, cwd, env: { ...process.env, LC_ALL: 'C' }, onLine };
}

/** Does the work of the Dockerfile: it starts n8n with the packages in its folder. */
async function n8n(world: World, name: string, copy: number, service: Service): Promise<Program> {
	const folder = join(world.folder, `${name}-${copy}`);
	await placePackages(folder);
	await symlink(
		await volumeAt(world, service, '/home/node/.n8n/storage'),
		join(folder, '.n8n', 'storage'),
	);
	const [command = 'start'] = wordsOf(service.command);
	const { ports } = world;
	const settings = {
		...here(service.environment ?? {}, world),
		N8N_PORT: String(ports.n8n),
		N8N_SECURE_COOKIE: 'false',
		...(name === 'main' ? {} : { N8N_PORT: String(await findFreePort()) }),
	};
	const home = { folder, log: getLogFile(`compose-${name}-${copy}`), settings };
	return await buildN8nProgram(world.installed, command, home);
}

/**
 * Replaces the names of services by this machine and its ports. The names are hosts only in a network of containers.
 */
function here(environment: Readonly<Record<string, string>>, { ports }: World) {
	const hosts = Object.entries(environment).map(([name, value]) =>
		['redis', 'postgres'].includes(value) && name.endsWith('_HOST')
			? [name, '127.0.0.1']
			: [name, value],
	);
	return {
		...(Object.fromEntries(hosts) as Record<string, string>),
		DB_POSTGRESDB_PORT: String(ports.postgres),
		QUEUE_BULL_REDIS_PORT: String(ports.redis),
	};
}

/** Runs the health check of a service with the ports that the services have on this machine. */
async function isHealthy({ ports, programs }: World, test: readonly string[]): Promise<boolean> {
	const [kind, program = '', ...options] = test;
	if (kind !== 'CMD') throw new Error(`It is not known how to run ${test.join(' ')}`);
	if (program === 'wget') return await answers(options.at(-1) ?? '', ports.n8n);
	const folder = program === 'pg_isready' ? dirname(programs.postgres) : dirname(programs.redis);
	const port = program === 'pg_isready' ? ports.postgres : ports.redis;
	const own = ['-h', '127.0.0.1', '-p', String(port)];
	const asked = promisify(execFile)(join(folder, program), [...own, ...options]);
	return await asked.then(
		() => true,
		() => false,
	);
}

async function answers(address: string, port: number): Promise<boolean> {
	const url = new URL(address);
	url.port = String(port);
	return await fetchFromN8n(url).then(
		({ ok }) => ok,
		() => false,
	);
}

/** The files below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((one) => one.isFile()).map(({ name }) => name);
}
