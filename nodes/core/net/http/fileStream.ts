import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { RequestFailure } from '../../errors/requestFailure';
import { Pacer } from '../pacing/pacer';
import { getRetryReason } from '../pacing/retry';
import { createTimeoutSignal, Stopped, unlessAborted, type Stop } from '../pacing/stop';
import { Deadlines } from './deadlines';
import { buildFileRequest, DOWNLOAD_LIMITS, downloadError, type NodeStream } from './download';
import { storeFile, type StoreFile } from './fileStorage';

interface StreamRequest {
	/** The address, which the user entered. */
	readonly url: string;
	readonly accept: string;
	/** The longest time without any data, in milliseconds. */
	readonly timeout: number;
}

/** An answer that is read while it arrives. Breaking out of the loop over `pieces` closes the connection. */
export interface StreamAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly pieces: AsyncIterable<Uint8Array>;
	close(): void;
}

/**
 * Sends a request without a credential, and follows no redirects. Rate limits and outages throw; other statuses are
 * returned.
 */
export type OpenStream = (request: StreamRequest) => Promise<StreamAnswer>;

export interface FileStreams {
	readonly openStream: OpenStream;
	readonly storeFile: StoreFile;
}

/** The part of n8n's context that is needed for streams. */
interface StreamContext {
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest'>;
}

/** Creates functions that read files of any size from a server, and store them in n8n. */
export function createFileStreams(context: IExecuteFunctions, stop: Stop): FileStreams {
	let latest: NodeStream | undefined;
	const openStream = createStreamOpener(context, stop, (stream) => (latest = stream));
	return {
		openStream,
		storeFile: async (content, name) => await storeFile(context, content, name, latest),
	};
}

/** Creates a function that opens streams, for a run or for the editor. */
export function createStreamOpener(
	context: StreamContext,
	stop: Stop,
	whenOpened: (stream: NodeStream) => void = () => {},
): OpenStream {
	const deadlines = new Deadlines();
	let pacer: Pacer | undefined;

	async function open({ url, accept, timeout }: StreamRequest): Promise<StreamAnswer> {
		const { signal, abort, release } = deadlines.start({ timeout, signal: stop.signal }, undefined);
		try {
			// Compression is off, so that size limits apply to the bytes that are actually transferred.
			const headers = { Accept: accept, 'Accept-Encoding': 'identity' };
			const request = buildFileRequest({ url, headers, timeout, abortSignal: signal });
			const asking = context.helpers.httpRequest(request) as Promise<IN8nHttpFullResponse>;
			const answer = await unlessAborted(asking, signal);
			if (!answer) throw silenceError(timeout);
			whenOpened(answer.body as unknown as NodeStream);
			return readAnswer(answer, timeout, { stop, abort });
		} catch (error) {
			abort();
			throw stop.isStopped ? new Stopped() : downloadError(error);
		} finally {
			release();
		}
	}

	return async (request) => {
		pacer ??= new Pacer(DOWNLOAD_LIMITS, stop);
		return await pacer.call(async () => await open(request), false);
	};
}

function silenceError(timeout: number): RequestFailure {
	return new RequestFailure(`The server was silent for ${timeout / 1000} s`, {
		description: "The option 'Timeout' sets how long to wait.",
	});
}

interface Ends {
	readonly stop: Stop;
	/** Closes the connection. Has no effect once the answer was read to its end. */
	readonly abort: () => void;
}

function readAnswer(
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	timeout: number,
	ends: Ends,
): StreamAnswer {
	const retry = getRetryReason(status, headers['retry-after']);
	if (retry) throw new RequestFailure(`The server answered ${status}`, { retry });
	return {
		status,
		contentType: String(headers['content-type'] ?? ''),
		pieces: readPieces(body as unknown as NodeStream, timeout, ends),
		close: ends.abort,
	};
}

async function* readPieces(stream: NodeStream, timeout: number, { stop, abort }: Ends) {
	const pieces = stream[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = await unlessAborted(pieces.next(), createTimeoutSignal(timeout), stop.signal);
			if (!next) throw silenceError(timeout);
			if (next.done) return;
			yield next.value;
		}
	} catch (error) {
		throw stop.isStopped ? new Stopped() : lostStreamError(error);
	} finally {
		abort();
	}
}

function lostStreamError(thrown: unknown): unknown {
	return thrown instanceof RequestFailure
		? thrown
		: new RequestFailure('The connection was lost before the whole file had arrived');
}
