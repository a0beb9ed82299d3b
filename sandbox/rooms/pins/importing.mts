export interface Imported {
	cid: string;
	size: number;
	/** Null above `keptBytes`: of a large file only the CID is known. */
	bytes: Buffer | null;
}

export const keptBytes = 8 * 1024 * 1024;

/** The importer's own defaults do the rest: chunks of 262,144 bytes, 174 links to a node. */
const options = { cidVersion: 1, rawLeaves: true, blockWriteConcurrency: 1 } as const;

/** The CID of a stream; it never holds more than `keptBytes` and a chunk. */
export async function imported(source: AsyncIterable<Uint8Array>): Promise<Imported> {
	const [{ importFile }, { BlackHoleBlockstore }] = await Promise.all([
		import('ipfs-unixfs-importer'),
		import('blockstore-core/black-hole'),
	]);
	let size = 0;
	let kept: Uint8Array[] = [];
	async function* watched() {
		for await (const chunk of source) {
			size += chunk.length;
			if (size > keptBytes) kept = [];
			else kept.push(chunk);
			yield chunk;
		}
	}
	const { cid } = await importFile({ content: watched() }, new BlackHoleBlockstore(), options);
	return { cid: cid.toString(), size, bytes: size > keptBytes ? null : Buffer.concat(kept) };
}
