import { Stopped } from '../errors/stopped';
import { wait } from '../pacing/wait';
import type { FilePart, FormPart } from './form';
import { timedOut } from './networkErrors';
import type { HttpAnswer, HttpClient, HttpRequest } from './types';

/** The client reads sixteen pieces ahead: small ones tell more closely how far the connection is. */
const SLICE = 64 * 1024;
const CHECK_EVERY = 250;

/**
 * A form whose file streams. n8n's HTTP client (axios) takes for a form whatever looks like one: a class of its
 * own with this tag, `append`, an iterator and `entries`. It adds the sizes up to Content-Length, escapes names,
 * and reads a part's `stream()` only as fast as the connection takes it. A test holds it to that.
 */
export class MultipartForm {
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
): Promise<HttpAnswer> {
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
