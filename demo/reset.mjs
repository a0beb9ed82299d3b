// This script deletes the data of the demo, unless the demo is running.
import { rmSync } from 'node:fs';
import { lockData } from '../tools/dataLock.mjs';
import { dataFolder } from '../tools/paths.mjs';
import { formatError } from '../tools/userError.mjs';

try {
	await lockData();
	rmSync(dataFolder, { recursive: true, force: true });
	console.log('The data of the demo is deleted. n8n itself stays installed.');
} catch (error) {
	console.error(formatError(error));
	process.exitCode = 1;
}
