import { RequestFailure } from '../errors/requestFailure';
import { decodeCid, isHashOf, throwIfUnverifiable, type Cid } from './cid';
import { decodeVarint, MAX_VARINT_BYTES } from './protobuf';
import { raise } from '../errors/raise';

/** The largest block that is accepted, twice the size that every peer of IPFS must accept (2 MiB). */
export const MAX_BLOCK_BYTES = 4 * 1024 * 1024;
const MAX_CID_BYTES = 300;
const MAX_HEADER_BYTES = 64 * 1024;
/**
 * The key `version` and its value 1 in DAG-CBOR. The rest of a header is ignored, because reading starts from the
 * requested CID.
 */
const VERSION_1 = Buffer.from('gversion\x01');

export interface CarBlock {
	readonly cid: Cid;
	readonly bytes: Buffer;
}

/** Yields the blocks of a CAR file while it arrives. Each block is checked against its own CID. */
export async function* readCar(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CarBlock> {
	const reader = new PieceReader(pieces);
	try {
		const header = await reader.takeFrame(MAX_HEADER_BYTES);
		if (!header?.includes(VERSION_1)) throw malformedCarError('it is not of version 1');
		for (;;) {
			const frame = await reader.takeFrame(MAX_BLOCK_BYTES + MAX_CID_BYTES);
			if (!frame) return;
			const decoded = decodeCid(frame);
			if (!decoded) throw malformedCarError('a block has no CID');
			const bytes = frame.subarray(decoded.end);
			throwIfUnverifiable(decoded.cid);
			if (!isHashOf(decoded.cid, bytes)) throw wrongBlockError();
			yield { cid: decoded.cid, bytes };
		}
	} finally {
		await reader.close();
	}
}

function malformedCarError(problem: string): RequestFailure {
	return new RequestFailure(`The gateway sent a broken archive of blocks (CAR): ${problem}`, {
		description: 'Use another gateway.',
	});
}

export function wrongBlockError(): RequestFailure {
	return new RequestFailure('The gateway sent bytes that do not match the hash in their CID', {
		description: 'No bytes of the file are output. Use another gateway.',
	});
}

/** Reads frames from pieces of any size. At most one frame and one piece are in memory. */
class PieceReader {
	private readonly source: AsyncIterator<Uint8Array>;
	private rest: Uint8Array = new Uint8Array();

	constructor(pieces: AsyncIterable<Uint8Array>) {
		this.source = pieces[Symbol.asyncIterator]();
	}

	async close(): Promise<void> {
		await this.source.return?.();
	}

	/** Reads a length, and then as many bytes as it says. Returns undefined at the end of the data. */
	async takeFrame(maxBytes: number): Promise<Buffer | undefined> {
		const head: number[] = [];
		for (;;) {
			const [byte] = (await this.take(1)) ?? [];
			if (byte === undefined) return head.length === 0 ? undefined : raise(endedError());
			head.push(byte);
			if (byte < 0x80) break;
			if (head.length === MAX_VARINT_BYTES) throw malformedCarError('a length does not end');
		}
		const length = decodeVarint(Buffer.from(head), 0)?.value ?? Infinity;
		if (length > maxBytes) throw malformedCarError(`a block is larger than ${maxBytes} bytes`);
		return (await this.take(length)) ?? raise(endedError());
	}

	private async take(count: number): Promise<Buffer | undefined> {
		const taken = Buffer.alloc(count);
		for (let filled = 0; filled < count; ) {
			if (this.rest.length === 0) {
				const next = await this.source.next();
				if (next.done) return undefined;
				this.rest = next.value;
			}
			const part = this.rest.subarray(0, count - filled);
			taken.set(part, filled);
			filled += part.length;
			this.rest = this.rest.subarray(part.length);
		}
		return taken;
	}
}

function endedError(): RequestFailure {
	return new RequestFailure(
		'The gateway ended its answer in the middle of a block (a part of the file)',
		{
			description:
				'No bytes of the file are output. Run the workflow again, or use another gateway.',
		},
	);
}
