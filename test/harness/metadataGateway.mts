import { createHash } from 'node:crypto';
import type { OpenStream } from '../../nodes/core/net/http/fileStream';
import { encodeFrame, encodeHeader, encodeLength } from './ipfsImporter.mts';

/** The largest file that fits into one block. */
const MAX_CONTENT_BYTES = 262_144;

export interface MetadataBlock {
	/** The bytes of the CID, in the form in which the compiler puts them at the end of the code. */
	readonly cid: Buffer;
	readonly bytes: Buffer;
}

/** Encodes a small file as a single block. Compilers hash metadata in this way. */
export function encodeBlock(content: string | Buffer): MetadataBlock {
	const file = Buffer.from(content);
	if (file.length > MAX_CONTENT_BYTES) throw new Error('The content has more than one block');
	const size = encodeLength(file.length);
	const data = Buffer.concat([Buffer.from([8, 2, 0x12]), size, file, Buffer.from([0x18]), size]);
	const bytes = Buffer.concat([Buffer.from([0x0a]), encodeLength(data.length), data]);
	const hash = createHash('sha256').update(bytes).digest();
	return { cid: Buffer.concat([Buffer.from([0x12, 32]), hash]), bytes };
}

export function encodeBlockCar({ cid, bytes }: MetadataBlock): Buffer {
	return Buffer.concat([encodeHeader(cid), encodeFrame(Buffer.concat([cid, bytes]))]);
}

export const CAR_TYPE = 'application/vnd.ipld.car';

/** Creates a gateway that answers each CID with the CAR file that `findCar` returns, and with nothing else. */
export function createCarOpener(
	findCar: (cid: string) => Buffer | undefined | Promise<Buffer | undefined>,
): OpenStream {
	return async ({ url, accept }) => {
		const cid = new URL(url).pathname.replace('/ipfs/', '');
		const car = accept.startsWith(CAR_TYPE) ? await findCar(cid) : undefined;
		return {
			status: car ? 200 : 404,
			contentType: car ? CAR_TYPE : 'text/plain',
			pieces: readPieces(car ?? Buffer.alloc(0)),
			close: () => {},
		};
	};
}

const PIECE_BYTES = 65_536;

async function* readPieces(bytes: Buffer) {
	for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
		await Promise.resolve();
		yield bytes.subarray(at, at + PIECE_BYTES);
	}
}
