import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../errors/invalidInput';
import { Stopped, wait } from '../pacing/stop';
import { timeoutError } from './networkErrors';
import type { HttpClient, HttpRequest, HttpResponse } from './types';

/** A file for an upload, from a binary field of the input item or from text. */
export type FormFile =
	| ({ readonly binaryProperty: string; readonly fileName?: string } & Watched)
	| ({ readonly content: string; readonly fileName: string; readonly type: string } & Watched);

interface Watched {
	/**
	 * Is called each time the upload of the file begins. The function that it returns is called with all bytes that are
	 * sent.
	 */
	readonly watch?: (file: FileContent) => (bytes: Uint8Array) => void;
}

/** The fields of a form. The file must be last, because the fields before it say where it will be stored. */
export type Form = Readonly<Record<string, string | FormFile | undefined>>;

export interface FileContent {
	readonly size: number;
	/** Reads the file from the beginning, at each call. */
	stream(): AsyncIterable<Uint8Array>;
}

interface FilePart extends FileContent, Watched {
	readonly name: string;
	readonly type: string;
}

export type FormPart = readonly [string, string | FilePart];

/**
 * The size of the parts in which a file is sent. Smaller parts were slower in measurements. With larger parts, memory
 * grew with the size of the file.
 */
const CHUNK_BYTES = 1.5 * 1024 * 1024;

/** Opens the files of a form. Each file is read only when it is sent. */
export async function openFormParts(
	context: IExecuteFunctions,
	item: number,
	form: Form,
): Promise<readonly FormPart[]> {
	const parts: FormPart[] = [];
	for (const [name, value] of Object.entries(form)) {
		if (typeof value === 'string') parts.push([name, value]);
		else if (value) parts.push([name, await openFilePart(context, item, value)]);
	}
	return parts;
}

async function openFilePart(
	context: IExecuteFunctions,
	item: number,
	file: FormFile,
): Promise<FilePart> {
	if ('content' in file) {
		const bytes = Buffer.from(file.content);
		return {
			name: file.fileName,
			type: file.type,
			size: bytes.length,
			stream: () => streamPieces(bytes),
			watch: file.watch,
		};
	}
	const binary = context.helpers.assertBinaryData(item, file.binaryProperty);
	const part =
		binary.id === undefined ? openInMemory(binary) : await openStored(context, binary.id);
	if (part.size === 0) throw new InvalidInput(`The file in '${file.binaryProperty}' is empty`);
	return {
		...part,
		watch: file.watch,
		name: parseFileName(file.fileName || binary.fileName || 'file'),
		type: /^[\w.+-]+\/[\w.+-]+$/.test(binary.mimeType)
			? binary.mimeType
			: 'application/octet-stream',
	};
}

function openInMemory({ data }: IBinaryData): FileContent {
	const bytes = Buffer.from(data, 'base64');
	return { size: bytes.length, stream: () => streamPieces(bytes) };
}

/** Opens a file in n8n's binary storage as a stream. */
async function openStored(context: IExecuteFunctions, id: string): Promise<FileContent> {
	const { fileSize: size } = await context.helpers.getBinaryMetadata(id);
	async function* stream() {
		let sent = 0;
		for await (const chunk of await context.helpers.getBinaryStream(id, CHUNK_BYTES)) {
			const bytes = chunk as Uint8Array;
			sent += bytes.length;
			if (sent > size) break;
			yield bytes;
		}
		if (sent !== size)
			throw new InvalidInput(
				'The input file has changed: its size differs from the size that n8n states for it',
				'Run the node that made the file again.',
			);
	}
	return { size, stream };
}

async function* streamPieces(bytes: Uint8Array) {
	for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

const MAX_FILE_NAME_CHARS = 1000;

/** Replaces control characters, which could break the header of the form part. */
function parseFileName(name: string): string {
	if (name.length > MAX_FILE_NAME_CHARS) {
		throw new InvalidInput(
			`The name of the file must have at most ${MAX_FILE_NAME_CHARS} characters; it has ${name.length}`,
		);
	}
	return name.replace(/\p{Cc}/gu, '_');
}

/** axios reads 16 slices ahead, so small slices show more exactly how much was sent. */
const SLICE_BYTES = 64 * 1024;
const CHECK_INTERVAL_MS = 250;

/**
 * A form whose files are streamed. axios recognizes it as FormData by its class name and methods. axios also computes
 * the Content-Length from the sizes, escapes names, and reads `stream()` with backpressure. `test/engine/upload`
 * checks this behaviour.
 */
class MultipartForm {
	readonly [Symbol.toStringTag] = 'FormData';

	/** The time when the connection last took a slice. */
	lastMoveAt = Date.now();

	private readonly streams: Array<AsyncGenerator<Uint8Array>> = [];

	private readonly parts: readonly FormPart[];

	constructor(parts: readonly FormPart[]) {
		this.parts = parts.map(([name, part]) => [name, this.watchPart(part)]);
	}

	append(): never {
		throw new Error('This form is complete');
	}

	entries(): IterableIterator<FormPart> {
		return this.parts.values();
	}

	[Symbol.iterator]() {
		return this.entries();
	}

	/** Closes all files, because axios does not close them when a request is aborted. */
	close(): void {
		for (const stream of this.streams) void stream.return(undefined);
	}

	private watchPart(part: string | FilePart): string | FilePart {
		if (typeof part === 'string') return part;
		const stream = () => {
			const watched = this.watchPieces(part.stream(), part.watch?.(part));
			this.streams.push(watched);
			return watched;
		};
		return { ...part, stream };
	}

	private async *watchPieces(pieces: AsyncIterable<Uint8Array>, see?: (bytes: Uint8Array) => void) {
		for await (const piece of pieces) {
			for (let start = 0; start < piece.length; start += SLICE_BYTES) {
				this.lastMoveAt = Date.now();
				const slice = piece.subarray(start, start + SLICE_BYTES);
				see?.(slice);
				yield slice;
			}
		}
	}
}

/**
 * Uploads a form. The timeout applies to times without progress. The timeout of axios is off, because it would count
 * from the beginning.
 */
export async function upload(
	http: HttpClient,
	request: HttpRequest,
	parts: readonly FormPart[],
): Promise<HttpResponse> {
	const form = new MultipartForm(parts);
	const ended = new AbortController();
	const isSilent = waitForSilence(form, request.timeout, ended);
	try {
		return await http.send({ ...request, body: form, timeout: 0, signal: ended.signal });
	} catch (error) {
		ended.abort();
		throw error instanceof Stopped && (await isSilent) ? timeoutError(request) : error;
	} finally {
		ended.abort();
		form.close();
	}
}

/** Aborts the upload after `timeout` milliseconds without progress. Returns whether it was aborted for that reason. */
async function waitForSilence(
	form: MultipartForm,
	timeout: number,
	ended: AbortController,
): Promise<boolean> {
	while (Date.now() - form.lastMoveAt < timeout) {
		await wait(Math.min(timeout, CHECK_INTERVAL_MS), ended.signal);
		if (ended.signal.aborted) return false;
	}
	ended.abort();
	return true;
}
