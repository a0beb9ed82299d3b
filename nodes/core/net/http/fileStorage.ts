import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { rethrow } from '../../values/parse';
import type { NodeStream } from './download';

export interface StoredFile {
	readonly binary: IBinaryData;
	readonly size: number;
}

/** Stores a file in n8n while it is read. If reading fails, no part of the file stays in the storage. */
export type StoreFile = (content: AsyncIterable<Uint8Array>, name: string) => Promise<StoredFile>;

/** A file of at most this size is stored in one piece. If reading it fails, nothing was stored yet. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

/** Stores a file. If n8n's client has opened no stream yet, the file is small, and is stored in one piece. */
export async function storeFile(
	{ helpers }: IExecuteFunctions,
	content: AsyncIterable<Uint8Array>,
	name: string,
	streamOfClient: NodeStream | undefined,
): Promise<StoredFile> {
	const file = new FileReading(content);
	const start = await file.readStart(streamOfClient ? MAX_BYTES_AT_ONCE : Infinity);
	// n8n derives the file type from the end of the name. A name without an ending therefore needs a type.
	const type = name.includes('.') ? undefined : 'application/octet-stream';
	if (file.isOver || !streamOfClient)
		return { binary: await helpers.prepareBinaryData(start, name, type), size: start.length };
	const stream = createNodeStream(streamOfClient, file.readAll(start));
	try {
		const binary = await helpers.prepareBinaryData(stream, name, type);
		return { binary, size: file.size };
	} catch (error) {
		// n8n may wrap the error with which reading failed, so the original error is thrown.
		return rethrow(file.failure ?? error);
	} finally {
		// If the storage failed at once, it has not begun to read, so the file must be closed here.
		await file.close();
	}
}

class FileReading {
	size = 0;
	isOver = false;
	failure: unknown;
	private readonly pieces: AsyncIterator<Uint8Array>;

	constructor(content: AsyncIterable<Uint8Array>) {
		this.pieces = content[Symbol.asyncIterator]();
	}

	/** Reads until more than `maxBytes` bytes have come, or to the end of the file. */
	async readStart(maxBytes: number): Promise<Buffer> {
		const start: Uint8Array[] = [];
		while (this.size <= maxBytes) {
			const piece = await this.readPiece();
			if (!piece) break;
			// The piece is copied, because a small piece may keep a large block of memory in use.
			start.push(Buffer.from(piece));
		}
		return Buffer.concat(start);
	}

	async close(): Promise<void> {
		await this.pieces.return?.();
	}

	async *readAll(start: Buffer): AsyncGenerator<Uint8Array> {
		try {
			yield start;
			for (let piece = await this.readPiece(); piece; piece = await this.readPiece()) yield piece;
		} catch (error) {
			this.failure = error;
			rethrow(error);
		} finally {
			await this.close();
		}
	}

	private async readPiece(): Promise<Uint8Array | undefined> {
		const next = await this.pieces.next();
		if (next.done) {
			this.isOver = true;
			return undefined;
		}
		this.size += next.value.length;
		return next.value;
	}
}

type StoredContent = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];

interface StreamClass {
	from(content: AsyncIterable<Uint8Array>, settings: { readonly objectMode: false }): StoredContent;
}

/**
 * Creates a stream of Node, because n8n's storage takes nothing else. Community nodes cannot import the class, so it
 * is taken from a stream of n8n's client.
 */
function createNodeStream(like: NodeStream, content: AsyncIterable<Uint8Array>): StoredContent {
	const streamClass = like.constructor as unknown as StreamClass;
	return streamClass.from(content, { objectMode: false });
}
