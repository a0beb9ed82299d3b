import { createHash } from 'node:crypto';
import { BlackHoleBlockstore } from 'blockstore-core/black-hole';
import { importFile } from 'ipfs-unixfs-importer';
import { TronWeb } from 'tronweb';

/** Computes the CID of a text locally. */
export async function computeCid(text: string): Promise<string> {
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

/** Converts an address of the EVM chain to the form of TRON. */
export function toWitnessAddress(address: string): string {
	return TronWeb.address.fromHex(`41${address.slice(2)}`);
}
