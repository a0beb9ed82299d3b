import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { rethrow } from '../../values/parse';
import type { NodeStream } from './download';

export interface StoredFile {
	readonly binary: IBinaryData;
	readonly size: number;
}

/** Puts a file into n8n's storage while it is read. When reading fails, nothing of it stays. */
export type StoreFile = (content: AsyncIterable<Uint8Array>, name: string) => Promise<StoredFile>;

/** A smaller file is stored at once: no storage has seen a byte of it when reading it fails. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

/** Stores a file. Where the client has opened no stream, nothing was downloaded, so that the file is small and stored at once. */
export async function storeFile(
	{ helpers }: IExecuteFunctions,
	content: AsyncIterable<Uint8Array>,
	name: string,
	streamOfClient: NodeStream | undefined,
): Promise<StoredFile> {
	const file = new FileReading(content);
	const start = await file.readStart(streamOfClient ? MAX_BYTES_AT_ONCE : Infinity);
	// n8n knows the type by the end of the name.
	const type = name.includes('.') ? undefined : 'application/octet-stream';
	if (file.isOver || !streamOfClient)
		return { binary: await helpers.prepareBinaryData(start, name, type), size: start.length };
	const stream = createNodeStream(streamOfClient, file.readAll(start));
	try {
		const binary = await helpers.prepareBinaryData(stream, name, type);
		return { binary, size: file.size };
	} catch (error) {
		// n8n may wrap the reason why reading failed.
		return rethrow(file.failure ?? error);
	} finally {
		// A storage that fails at once has not begun to read.
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

	/** Reads on until there is more than this, or to the end. */
	async readStart(maxBytes: number): Promise<Buffer> {
		const start: Uint8Array[] = [];
		while (this.size <= maxBytes) {
			const piece = await this.readPiece();
			if (!piece) break;
			// A piece of few bytes may hold on to the memory of a large block.
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

/** n8n's storage takes streams of Node only. A node cannot import their class, but each stream of n8n's client has it. */
function createNodeStream(like: NodeStream, content: AsyncIterable<Uint8Array>): StoredContent {
	const streamClass = like.constructor as unknown as StreamClass;
	return streamClass.from(content, { objectMode: false });
}
