import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceProcess, startServiceProcess } from '../run/serviceProcess.mts';
import { dataFolder } from '../../tools/paths.mjs';
import { createLogWriter } from './log.mts';
import type { Programs } from './programs.mts';

/** Starts a Redis server that writes every command to a file, so that the queue survives a kill. */
export async function startRedis({ redis }: Programs, port: number): Promise<ServiceProcess> {
	const folder = join(dataFolder, 'redis');
	await mkdir(folder, { recursive: true });
	return await startServiceProcess({
		name: 'Redis',
		command: redis,
		cwd: folder,
		env: process.env,
		onLine: createLogWriter('redis'),
		isBase: true,
		options: ['--bind', '127.0.0.1', '--port', String(port), '--appendonly', 'yes', '--save', ''],
		isUp: (printed) => printed.some((line) => /ready to accept connections/i.test(line)),
	});
}
