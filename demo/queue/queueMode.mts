import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placePackages } from '../install/packages.mjs';
import { type Installed, n8nProgram, startN8n } from '../run/n8nServer.mts';
import type { Engine, Running } from '../run/oneProcess.mts';
import { type Part, startPart } from '../run/part.mts';
import { dataFolder, userFolder } from '../tools/paths.mjs';
import { freePort } from '../tools/ports.mts';
import { run } from '../tools/processes.mjs';
import { ADVISED } from './advised.mts';
import { logOf } from './log.mts';
import { type Postgres, startPostgres } from './postgres.mts';
import { findPrograms } from './programs.mts';
import { startRedis } from './redis.mts';

/** An n8n of several processes. */
export interface Queue extends Running {
	workers: Part[];
	redis: Part;
	postgres: Postgres;
}

type Settings = Readonly<Record<string, string>>;

export const WORKERS = ['worker-1', 'worker-2'];

/** n8n's distributed engine on one machine: a main process, two workers, Redis and PostgreSQL. */
export function queueMode(more: Settings = {}): Engine<Queue> {
	return async (installed, port) => {
		const programs = findPrograms();
		const redisPort = await freePort();
		const [postgres, redis] = await Promise.all([
			startPostgres(programs, await freePort()),
			startRedis(programs, redisPort),
		]);
		const settings = {
			...{ ...ADVISED, ...postgres.settings },
			N8N_STORAGE_PATH: join(userFolder, '.n8n', 'storage'),
			...{ QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(redisPort), ...more },
		};
		const main = await startN8n(installed, port, settings);
		const start = async (name: string) => await startWorker(installed, name, settings);
		const workers = await Promise.all(WORKERS.map(start));
		const n8n = [main, ...workers];
		return {
			...{ main, workers, redis, postgres },
			ended: Promise.race([...n8n, redis, postgres].map(({ ended }) => ended)),
			stop: async () => {
				await Promise.all(n8n.map((part) => part.stop()));
				await Promise.all([redis.stop(), postgres.stop()]);
			},
			register: async (description) => {
				const script = join(import.meta.dirname, 'registration.sql');
				const given = ['-v', `description=${description}`, '-f', script];
				await run(programs.psql, [...postgres.options, ...given]);
			},
		};
	};
}

/** Each has a folder of its own, as on a machine of its own; the key and the files are those of the main process. */
async function startWorker(installed: Installed, name: string, settings: Settings): Promise<Part> {
	const folder = join(dataFolder, 'node_modules', name);
	await placePackages(folder);
	const config = JSON.parse(await readFile(join(userFolder, '.n8n', 'config'), 'utf8')) as {
		encryptionKey: string;
	};
	const own = { ...settings, N8N_ENCRYPTION_KEY: config.encryptionKey };
	const program = await n8nProgram(installed, 'worker', {
		...{ folder, log: logOf(name), settings: own },
	});
	return await startPart({
		...{ ...program, name },
		isUp: (printed) => printed.some((line) => line.includes('n8n worker is now ready')),
	});
}
