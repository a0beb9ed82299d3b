import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A pattern for files that only compilers and debuggers use. They are a third of n8n's installation. */
const UNUSED_FILE = /\.(map|d\.[cm]?ts)$/;

/** Removes the files that nothing runs from an installation. */
export async function removeUnusedFiles(folder) {
	const entries = await readdir(folder, { withFileTypes: true });
	const path = ({ name }) => join(folder, name);
	const unused = entries.filter((entry) => !entry.isDirectory() && UNUSED_FILE.test(entry.name));
	await Promise.all(unused.map((file) => rm(path(file))));
	// The subfolders are handled one after another, because there are thousands of them.
	for (const entry of entries.filter((one) => one.isDirectory()))
		await removeUnusedFiles(path(entry));
}
