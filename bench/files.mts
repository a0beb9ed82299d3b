import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '../tools/paths.mjs';

const MEGABYTE_BYTES = 1024 * 1024;

/** The one folder that n8n lets its nodes read. */
export const filesFolder = join(dataFolder, 'files');

/** Writes a file of this many megabytes into the folder. */
export async function writeFileOfSize(megabytes: number): Promise<string> {
	await mkdir(filesFolder, { recursive: true });
	const file = join(filesFolder, `${megabytes}.bin`);
	const handle = await open(file, 'w');
	const piece = Buffer.alloc(MEGABYTE_BYTES, 'n8n');
	for (let count = 0; count < megabytes; count++) await handle.write(piece);
	await handle.close();
	return file;
}
