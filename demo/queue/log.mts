import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../tools/paths.mjs';

/** Beside the log of n8n itself. */
export const getLogFile = (name: string) => join(dataFolder, `${name}.log`);

/** Takes line after line of what a part prints. */
export function createLogWriter(name: string): (line: string) => void {
	const log = createWriteStream(getLogFile(name));
	return (line) => void log.write(`${line}\n`);
}
