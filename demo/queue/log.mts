import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../tools/paths.mjs';

/** Beside the log of n8n itself. */
export const logOf = (name: string) => join(dataFolder, `${name}.log`);

/** Takes line after line of what a part prints. */
export function keepLog(name: string): (line: string) => void {
	const log = createWriteStream(logOf(name));
	return (line) => void log.write(`${line}\n`);
}
