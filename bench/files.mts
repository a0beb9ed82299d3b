import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlackHoleBlockstore } from 'blockstore-core/black-hole';
import { importFile } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { dataFolder } from '../tools/paths.mjs';

const MEGABYTE_BYTES = 1024 * 1024;

/** The only folder that n8n allows its nodes to read. */
export const filesFolder = join(dataFolder, 'files');

/** Writes a file of the given size in megabytes. */
export async function writeFileOfSize(megabytes: number): Promise<string> {
	await mkdir(filesFolder, { recursive: true });
	const file = join(filesFolder, `${megabytes}.bin`);
	await writeFile(file, buildPieces(megabytes));
	return file;
}

/** Computes the CID that a generated file gets at a service that splits files into raw chunks of a megabyte. */
export async function computeCid(megabytes: number): Promise<string> {
	const { cid } = await importFile({ content: buildPieces(megabytes) }, new BlackHoleBlockstore(), {
		cidVersion: 1,
		rawLeaves: true,
		chunker: fixedSize({ chunkSize: MEGABYTE_BYTES }),
		layout: balanced({ maxChildrenPerNode: 1024 }),
	});
	return cid.toString();
}

function* buildPieces(megabytes: number) {
	const piece = Buffer.alloc(MEGABYTE_BYTES, 'n8n');
	for (let count = 0; count < megabytes; count++) yield piece;
}
