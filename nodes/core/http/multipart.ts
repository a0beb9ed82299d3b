import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../../credentials/invalidInput';
import { Stopped, wait } from '../pacing/stop';
import type { HttpClient, HttpRequest, HttpResponse } from './types';
import { timedOut } from './networkErrors';

/** A file of a form: from a binary field of the input item, or from text. */
export type FormFile =
	| { readonly binaryProperty: string; readonly fileName?: string }
	| { readonly content: string; readonly fileName: string; readonly type: string };

/** The fields of a form; what is undefined is left out. The file comes last, after what says where it goes. */
export type Form = Readonly<Record<string, string | FormFile | undefined>>;

interface FilePart {
	readonly name: string;
	readonly type: string;
	readonly size: number;
	stream(): AsyncIterable<Uint8Array>;
}

export type FormPart = readonly [string, string | FilePart];

/** Smaller pieces take longer in n8n, whose heap is large; with larger ones the memory grows with the file. */
const CHUNK = 1.5 * 1024 * 1024;

/** The parts of a form. Files are opened, and read when they are sent. */
export async function formParts(
	context: IExecuteFunctions,
	item: number,
	form: Form,
): Promise<readonly FormPart[]> {
	const parts: FormPart[] = [];
	for (const [name, value] of Object.entries(form)) {
		if (typeof value === 'string') parts.push([name, value]);
		else if (value) parts.push([name, await filePart(context, item, value)]);
	}
	return parts;
}

async function filePart(
	context: IExecuteFunctions,
	item: number,
	file: FormFile,
): Promise<FilePart> {
	if ('content' in file) {
		const bytes = Buffer.from(file.content);
		return { name: file.fileName, type: file.type, size: bytes.length, stream: () => once(bytes) };
	}
	const binary = context.helpers.assertBinaryData(item, file.binaryProperty);
	const part = binary.id === undefined ? inMemory(binary) : await stored(context, binary.id);
	if (part.size === 0) throw new InvalidInput(`The file in '${file.binaryProperty}' is empty`);
	return {
		...part,
		name: cleanName(file.fileName || binary.fileName || 'file'),
		type: /^[\w.+-]+\/[\w.+-]+$/.test(binary.mimeType)
			? binary.mimeType
			: 'application/octet-stream',
	};
}

type Content = Pick<FilePart, 'size' | 'stream'>;

function inMemory({ data }: IBinaryData): Content {
	const bytes = Buffer.from(data, 'base64');
	return { size: bytes.length, stream: () => once(bytes) };
}

/** Read from n8n's storage in pieces, whatever the size of the file. */
async function stored(context: IExecuteFunctions, id: string): Promise<Content> {
	const { fileSize: size } = await context.helpers.getBinaryMetadata(id);
	async function* stream() {
		let sent = 0;
		for await (const chunk of await context.helpers.getBinaryStream(id, CHUNK)) {
			const bytes = chunk as Uint8Array;
			sent += bytes.length;
			if (sent > size) break;
			yield bytes;
		}
		if (sent !== size)
			throw new InvalidInput('The stored file does not have the size that n8n reports');
	}
	return { size, stream };
}

async function* once(bytes: Uint8Array) {
	yield bytes;
}

/** Control characters have no place in a header, nor in a name. */
function cleanName(name: string): string {
	return name.replace(/\p{Cc}/gu, '_');
}

/** The client reads sixteen pieces ahead: small ones tell more closely how far the connection is. */
const SLICE = 64 * 1024;
const CHECK_EVERY = 250;

/**
 * A form whose file streams. n8n's HTTP client (axios) takes for a form whatever looks like one: a class of its
 * own with this tag, `append`, an iterator and `entries`. It adds the sizes up to Content-Length, escapes names,
 * and reads a part's `stream()` only as fast as the connection takes it. A test holds it to that.
 */
class MultipartForm {
	readonly [Symbol.toStringTag] = 'FormData';

	/** When the connection last took a piece of the file. */
	lastMove = Date.now();

	private readonly streams: Array<AsyncGenerator<Uint8Array>> = [];

	private readonly parts: readonly FormPart[];

	constructor(parts: readonly FormPart[]) {
		this.parts = parts.map(([name, part]) => [name, this.watched(part)]);
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

	/** Closes the files: a client that gives up leaves them open. */
	close(): void {
		for (const stream of this.streams) void stream.return(undefined);
	}

	private watched(part: string | FilePart): string | FilePart {
		if (typeof part === 'string') return part;
		const stream = () => {
			const watched = this.watch(part.stream());
			this.streams.push(watched);
			return watched;
		};
		return { ...part, stream };
	}

	private async *watch(pieces: AsyncIterable<Uint8Array>) {
		for await (const piece of pieces) {
			for (let start = 0; start < piece.length; start += SLICE) {
				this.lastMove = Date.now();
				yield piece.subarray(start, start + SLICE);
			}
		}
	}
}

/**
 * Sends a form as long as it moves. The client's own timeout counts from the beginning of a request, and a large file
 * takes as long as it takes; so that one is off, and this one counts the silence. Then the request is ended.
 */
export async function upload(
	http: HttpClient,
	request: HttpRequest,
	parts: readonly FormPart[],
): Promise<HttpResponse> {
	const form = new MultipartForm(parts);
	const over = new AbortController();
	const isGivenUp = silence(form, request.timeout, over);
	try {
		return await http.send({ ...request, body: form, timeout: 0, until: over.signal });
	} catch (error) {
		over.abort();
		throw error instanceof Stopped && (await isGivenUp) ? timedOut(request) : error;
	} finally {
		over.abort();
		form.close();
	}
}

/** Aborts when nothing has moved for so long, and tells whether it did so. */
async function silence(
	form: MultipartForm,
	timeout: number,
	over: AbortController,
): Promise<boolean> {
	while (Date.now() - form.lastMove < timeout) {
		await wait(Math.min(timeout, CHECK_EVERY), over.signal);
		if (over.signal.aborted) return false;
	}
	over.abort();
	return true;
}
