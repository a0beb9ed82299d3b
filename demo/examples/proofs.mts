import { createHash } from 'node:crypto';
import { BlackHoleBlockstore } from 'blockstore-core/black-hole';
import { importFile } from 'ipfs-unixfs-importer';

/** The CID that this text must have, computed without the service. */
export async function cidOf(text: string): Promise<string> {
	const options = { cidVersion: 1, rawLeaves: true } as const;
	const { cid } = await importFile(
		{ content: Buffer.from(text) },
		new BlackHoleBlockstore(),
		options,
	);
	return cid.toString();
}

export function isTransactionId(txID: string, rawDataHex: string): boolean {
	return txID === createHash('sha256').update(Buffer.from(rawDataHex, 'hex')).digest('hex');
}
