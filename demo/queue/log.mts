import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../tools/paths.mjs';

/** The log is beside the log of n8n. */
export const getLogFile = (name: string) => join(dataFolder, `${name}.log`);

/** Writes the lines that a service prints. */
export function createLogWriter(name: string): (line: string) => void {
	const log = createWriteStream(getLogFile(name));
	return (line) => void log.write(`${line}\n`);
}
