import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startServiceProcess } from '../run/serviceProcess.mts';
import { dataFolder } from '../../tools/paths.mjs';
import { runProgram } from '../../tools/processes.mjs';
import { createLogWriter } from './log.mts';
import type { Programs } from './programs.mts';

export interface Postgres extends ServiceProcess {
	/** The settings that make n8n connect to this database. */
	settings: Readonly<Record<string, string>>;
	/** The options that make psql connect to this database. */
	options: string[];
}

/** The system user that runs PostgreSQL if this process is root. PostgreSQL refuses to run as root. */
const POSTGRES_USER = 'postgres';
const isRoot = process.getuid?.() === 0;
const AS_POSTGRES_USER = isRoot
	? ['setpriv', `--reuid=${POSTGRES_USER}`, `--regid=${POSTGRES_USER}`, '--clear-groups']
	: [];
const DATABASE_USER = 'n8n';

/** Starts a PostgreSQL server with one database. Its files are in the demo's folder. */
export async function startPostgres(programs: Programs, port: number): Promise<Postgres> {
	const folder = await prepareData(programs);
	const where = ['-D', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
	const [command = '', ...options] = [...AS_POSTGRES_USER, programs.postgres, ...where];
	const part = await startServiceProcess({
		name: 'PostgreSQL',
		command,
		cwd: folder,
		onLine: createLogWriter('postgres'),
		isBase: true,
		options: [...options, '-c', 'unix_socket_directories='],
		env: { ...process.env, LC_ALL: 'C' },
		isUp: (printed) => printed.some((line) => line.includes('ready to accept connections')),
	});
	const settings = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_USER: DATABASE_USER,
		DB_POSTGRESDB_DATABASE: POSTGRES_USER,
	};
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', DATABASE_USER, '-d', POSTGRES_USER];
	return { ...part, settings, options: [...address, '-v', 'ON_ERROR_STOP=1', '-At'] };
}

async function prepareData({ initdb }: Programs): Promise<string> {
	const link = join(dataFolder, 'postgres');
	if (!existsSync(link)) await createDataFolder(link);
	const folder = await realpath(link);
	if (existsSync(join(folder, 'PG_VERSION'))) return folder;
	const [command = '', ...options] = [
		...AS_POSTGRES_USER,
		initdb,
		'-D',
		folder,
		'-U',
		DATABASE_USER,
	];
	await runProgram(command, [...options, '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
		cwd: folder,
	});
	return folder;
}

/**
 * Creates the data folder. If this process is root, the user of PostgreSQL may not reach the folder, so a link to
 * another folder stands in its place.
 */
async function createDataFolder(folder: string): Promise<void> {
	if (!isRoot) return void (await mkdir(folder, { mode: 0o700 }));
	await runProgram('install', ['-d', '-m', '700', '-o', POSTGRES_USER, folder]);
	const [command = '', ...options] = [...AS_POSTGRES_USER, 'test', '-w', folder];
	await runProgram(command, options).catch(async () => {
		await rm(folder, { recursive: true });
		const elsewhere = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
		await runProgram('chown', [POSTGRES_USER, elsewhere]);
		await symlink(elsewhere, folder);
	});
}
