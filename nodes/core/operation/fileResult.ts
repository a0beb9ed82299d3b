import type { StoredFile } from '../net/http/fileStorage';

/** A result with a file. The file becomes a binary field of the item. */
export class FileResult {
	constructor(
		readonly json: Readonly<Record<string, unknown>>,
		readonly binaryProperty: string,
		readonly file: StoredFile,
	) {}
}
