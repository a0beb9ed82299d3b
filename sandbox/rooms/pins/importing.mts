export interface ImportedFile {
	cid: string;
	size: number;
	/** Null above `keptBytes`: of a large file only the CID is known. */
	bytes: Buffer | null;
}

export const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** The importer's own defaults do the rest: chunks of 262,144 bytes, 174 links to a node. */
const IMPORT_OPTIONS = { cidVersion: 1, rawLeaves: true, blockWriteConcurrency: 1 } as const;

/** The CID of a stream; it never holds more than `keptBytes` and a chunk. */
export async function importStream(source: AsyncIterable<Uint8Array>): Promise<ImportedFile> {
	const [{ importFile }, { BlackHoleBlockstore }] = await Promise.all([
		import('ipfs-unixfs-importer'),
		import('blockstore-core/black-hole'),
	]);
	let size = 0;
	let kept: Uint8Array[] = [];
	async function* watched() {
		for await (const chunk of source) {
			size += chunk.length;
			if (size > MAX_KEPT_BYTES) kept = [];
			else kept.push(chunk);
			yield chunk;
		}
	}
	const { cid } = await importFile(
		{ content: watched() },
		new BlackHoleBlockstore(),
		IMPORT_OPTIONS,
	);
	return { cid: cid.toString(), size, bytes: size > MAX_KEPT_BYTES ? null : Buffer.concat(kept) };
}
