import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { RequestFailure } from '../errors/requestFailure';
import { Pacer } from '../pacing/pacer';
import { retryOf } from '../pacing/retry';
import { Stopped, unlessAborted, type Stop } from '../pacing/stop';
import { Deadlines } from './deadlines';
import { causesOf, codeIn } from './networkErrors';

/** A file that anyone may read. */
export interface PublicFile {
	readonly url: string;
	/** Whether someone else than the user named its address. */
	readonly isForeign: boolean;
}

/** The content of a file. Its failure's message names neither the address nor what a server says. */
export type Download = (file: PublicFile) => Promise<Buffer>;

const LIMITS = { concurrency: 10, maxRetries: 2, maxWait: 10 };
/** Milliseconds, to the last byte. */
const TIMEOUT = 10_000;
const LARGEST = 1_000_000;
/** A server that was late for so many files, and gave none meanwhile, is not asked for more: a run may need thousands. */
const MOST_LATE = 5;

/**
 * Fetches files through n8n's helper, without any credential, and follows no redirect. No foreign address may lead into the
 * user's own network, whether or not n8n's protection is on for all requests; those that it allows are allowed here, too.
 */
export function downloads(context: IExecuteFunctions, stop: Stop): Download {
	const deadlines = new Deadlines();
	/** How often the server of an origin was late. */
	const late = new Map<string, number>();
	let pacer: Pacer | undefined;

	async function download(file: PublicFile): Promise<Buffer> {
		const { origin } = new URL(file.url);
		if ((late.get(origin) ?? 0) >= MOST_LATE)
			return failed('The server was late again and again, and is not asked any more');
		const { signal, release } = deadlines.of({ timeout: TIMEOUT, until: stop.signal }, undefined);
		try {
			const content = await unlessAborted(fetched(context, file, signal), signal);
			late.set(origin, content ? 0 : (late.get(origin) ?? 0) + 1);
			return content ?? failed(`The server did not give the whole file within ${TIMEOUT / 1000} s`);
		} catch (error) {
			throw stop.isStopped ? new Stopped() : failureOf(error);
		} finally {
			release();
		}
	}

	return async (file) => {
		pacer ??= new Pacer(LIMITS, stop);
		return await pacer.call(async () => await download(file), false);
	};
}

async function fetched(
	{ helpers }: IExecuteFunctions,
	{ url, isForeign }: PublicFile,
	signal: AbortSignal,
): Promise<Buffer> {
	if (isForeign) {
		// Older versions of n8n have no such protection.
		const allowed = await helpers.getSecureEgressFilter?.('enforced').validateUrl(url);
		if (allowed?.ok === false) throw allowed.error;
	}
	const answer = (await helpers.httpRequest(requestFor(url, signal))) as IN8nHttpFullResponse;
	const body = answer.body as unknown as FileStream;
	if (answer.statusCode === 200) return await contentOf(body);
	body.destroy();
	const { statusCode: status, headers } = answer;
	const isRedirect = status >= 300 && status < 400;
	throw new RequestFailure(
		`The server answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`,
		{ retry: retryOf(status, headers['retry-after']) },
	);
}

interface FileStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

function requestFor(url: string, abortSignal: AbortSignal): IHttpRequestOptions {
	return {
		method: 'GET',
		url,
		headers: { Accept: 'application/json, */*;q=0.5' },
		timeout: TIMEOUT,
		abortSignal,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** To leave the loop closes the connection. */
async function contentOf(body: FileStream): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > LARGEST) return failed('The file is larger than 1 MB');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function failed(message: string): never {
	throw new RequestFailure(message);
}

/** The connection, not the host. */
const PASSING = ['ECONNRESET', 'EPIPE', 'EAI_AGAIN'];

function failureOf(thrown: unknown): RequestFailure {
	if (thrown instanceof RequestFailure) return thrown;
	const causes = causesOf(thrown);
	if (causes.some((cause) => cause instanceof Error && cause.name.startsWith('SsrfBlocked'))) {
		return new RequestFailure("n8n's protection of internal addresses does not allow this address");
	}
	const code = codeIn(causes);
	return new RequestFailure(`The server could not be asked${code && ` (${code})`}`, {
		retry: PASSING.includes(code) ? { because: 'lost' } : undefined,
	});
}
