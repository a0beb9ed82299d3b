import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placePackages } from '../install/packages.mjs';
import { type Installed, buildN8nProgram, startN8n } from '../run/n8nServer.mts';
import type { Engine, RunningN8n } from '../run/oneProcess.mts';
import { type ServiceProcess, startServiceProcess } from '../run/serviceProcess.mts';
import { dataFolder, userFolder } from '../../tools/paths.mjs';
import { findFreePort } from '../../tools/ports.mts';
import { runProgram } from '../../tools/processes.mjs';
import { ADVISED_SETTINGS } from './advised.mts';
import { getLogFile } from './log.mts';
import { type Postgres, startPostgres } from './postgres.mts';
import { requirePrograms } from './programs.mts';
import { startRedis } from './redis.mts';

/** An n8n of several processes. */
export interface QueueModeN8n extends RunningN8n {
	workers: ServiceProcess[];
	redis: ServiceProcess;
	postgres: Postgres;
}

type Settings = Readonly<Record<string, string>>;

export const WORKER_NAMES = ['worker-1', 'worker-2'];

/** Starts n8n's queue mode on one machine: a main process, two workers, Redis and PostgreSQL. */
export function createQueueEngine(more: Settings = {}): Engine<QueueModeN8n> {
	return async (installed, port) => {
		const programs = requirePrograms();
		const redisPort = await findFreePort();
		const [postgres, redis] = await Promise.all([
			startPostgres(programs, await findFreePort()),
			startRedis(programs, redisPort),
		]);
		const settings = {
			...ADVISED_SETTINGS,
			...postgres.settings,
			N8N_STORAGE_PATH: join(userFolder, '.n8n', 'storage'),
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			...more,
		};
		const main = await startN8n(installed, port, settings);
		const start = async (name: string) => await startWorker(installed, name, settings);
		const workers = await Promise.all(WORKER_NAMES.map(start));
		const n8n = [main, ...workers];
		return {
			main,
			workers,
			redis,
			postgres,
			ended: Promise.race([...n8n, redis, postgres].map(({ ended }) => ended)),
			stop: async () => {
				await Promise.all(n8n.map((part) => part.stop()));
				await Promise.all([redis.stop(), postgres.stop()]);
			},
			register: async (description) => {
				const script = join(import.meta.dirname, 'registration.sql');
				const given = ['-v', `description=${description}`, '-f', script];
				await runProgram(programs.psql, [...postgres.options, ...given]);
			},
		};
	};
}

/**
 * Starts a worker. It has its own folder, like a worker on another machine, but shares the key and the files of the
 * main process.
 */
async function startWorker(
	installed: Installed,
	name: string,
	settings: Settings,
): Promise<ServiceProcess> {
	const folder = join(dataFolder, 'node_modules', name);
	await placePackages(folder);
	const config = JSON.parse(await readFile(join(userFolder, '.n8n', 'config'), 'utf8')) as {
		encryptionKey: string;
	};
	const own = { ...settings, N8N_ENCRYPTION_KEY: config.encryptionKey };
	const program = await buildN8nProgram(installed, 'worker', {
		folder,
		log: getLogFile(name),
		settings: own,
	});
	return await startServiceProcess({
		...program,
		name,
		isUp: (printed) => printed.some((line) => line.includes('n8n worker is now ready')),
	});
}
