import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../tools/paths.mjs';

/** Returns the path of a log file, which is in the same folder as the log of n8n. */
export const getLogFile = (name: string) => join(dataFolder, `${name}.log`);

/** Creates a function that writes the lines of a service to its log file. */
export function createLogWriter(name: string): (line: string) => void {
	const log = createWriteStream(getLogFile(name));
	return (line) => void log.write(`${line}\n`);
}
