import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { encodeFrame, encodeHeader } from './ipfsImporter.mts';

const CAR = 'application/vnd.ipld.car';

export const MEGABYTE = 1024 * 1024;

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Builds a file of chunks of one megabyte, each beginning with its number. The result is the parts of its CAR file. */
export function buildLargeFile(chunks: number) {
	const rest = randomBytes(MEGABYTE - 4);
	const buildChunk = (index: number) => {
		const number = Buffer.alloc(4);
		number.writeUInt32BE(index);
		return Buffer.concat([number, rest]);
	};
	const cids = Array.from({ length: chunks }, (_, index) =>
		Buffer.concat([Buffer.from('01551220', 'hex'), hash(buildChunk(index))]),
	);
	// Each link consists of a hash, an empty name and a size of one megabyte.
	const links = cids.map((cid) =>
		Buffer.concat([Buffer.from([0x0a, cid.length]), cid, Buffer.from('120018808040', 'hex')]),
	);
	const about = Buffer.concat([
		Buffer.from('0802', 'hex'),
		...cids.map(() => Buffer.from('20808040', 'hex')),
	]);
	const root = Buffer.concat([
		...links.flatMap((link) => [Buffer.from([0x12]), encodeFrame(link)]),
		Buffer.from([0x0a]),
		encodeFrame(about),
	]);
	const rootCid = Buffer.concat([Buffer.from('01701220', 'hex'), hash(root)]);
	return {
		cid: `f${rootCid.toString('hex')}`,
		start: Buffer.concat([encodeHeader(), encodeFrame(Buffer.concat([rootCid, root]))]),
		buildChunk,
		buildFrame: (index: number) =>
			encodeFrame(Buffer.concat([cids[index] ?? Buffer.alloc(0), buildChunk(index)])),
	};
}

/** The parts of a large file that are needed to send it. */
type FrameSource = Pick<ReturnType<typeof buildLargeFile>, 'start' | 'buildFrame'>;

/** Sends the first chunks of a file as fast as the client takes them. */
export async function sendChunks(
	response: ServerResponse,
	count: number,
	{ start, buildFrame }: FrameSource,
): Promise<void> {
	response.writeHead(200, { 'content-type': CAR });
	response.write(start);
	for (let sent = 0; sent < count && !response.destroyed; sent++) {
		if (!response.write(buildFrame(sent)))
			await Promise.race([once(response, 'drain'), once(response, 'close')]);
	}
}
