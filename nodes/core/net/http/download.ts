import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { RequestFailure } from '../../errors/requestFailure';
import { Pacer } from '../pacing/pacer';
import { getRetryReason } from '../pacing/retry';
import { Stopped, unlessAborted, type Stop } from '../pacing/stop';
import { Deadlines } from './deadlines';
import { isInternalAddress } from './internalAddresses';
import { getCauses, findErrorCode } from './networkErrors';
import { raise } from '../../errors/raise';

/** A file that can be downloaded without a credential. */
export interface PublicFile {
	readonly url: string;
	/** Whether the address comes from somebody else than the user. */
	readonly isForeign: boolean;
	/** The JSON to send with POST; if it is missing, the method is GET. */
	readonly body?: string;
	/** The milliseconds until the whole file must be there; 10,000 by default. */
	readonly timeout?: number;
}

/** Downloads a file. Error messages contain neither the address nor text from the server. */
export type Download = (file: PublicFile) => Promise<Buffer>;

export const DOWNLOAD_LIMITS = { concurrency: 10, maxRetries: 2, maxWait: 10 };
const DEFAULT_TIMEOUT_MS = 10_000;
const ACCEPTED = 'application/json, */*;q=0.5';
const MAX_FILE_BYTES = 1_000_000;
/** After this many late answers in a row, a server gets no more requests, because a run may need thousands of files. */
const MAX_LATE_FILES = 5;

/**
 * Downloads files through n8n's helper, without a credential and without following redirects. Addresses from outside
 * must not lead into the user's own network, even if n8n's protection is off. Addresses that n8n's protection allows
 * are allowed here, too.
 */
export function createDownload(context: IExecuteFunctions, stop: Stop): Download {
	const deadlines = new Deadlines();
	/** How many late answers in a row each server has given, by its origin. */
	const late = new Map<string, number>();
	let pacer: Pacer | undefined;

	async function download(file: PublicFile): Promise<Buffer> {
		const { url, body, isForeign, timeout = DEFAULT_TIMEOUT_MS } = file;
		const { origin } = new URL(url);
		if ((late.get(origin) ?? 0) >= MAX_LATE_FILES)
			throw failureError('The server was late again and again, and is not asked any more');
		const limits = { timeout, signal: stop.signal };
		const { signal, abort, release } = deadlines.start(limits, undefined);
		const headers = { Accept: ACCEPTED };
		const request = buildFileRequest({ url, body, headers, timeout, abortSignal: signal });
		try {
			const content = await unlessAborted(fetchFile(context, request, isForeign), signal);
			late.set(origin, content ? 0 : (late.get(origin) ?? 0) + 1);
			return (
				content ??
				raise(failureError(`The server did not give the whole file within ${timeout / 1000} s`))
			);
		} catch (error) {
			abort();
			throw stop.isStopped ? new Stopped() : downloadError(error);
		} finally {
			release();
		}
	}

	return async (file) => {
		pacer ??= new Pacer(DOWNLOAD_LIMITS, stop);
		return await pacer.call(async () => await download(file), false);
	};
}

async function fetchFile(
	{ helpers }: IExecuteFunctions,
	request: IHttpRequestOptions,
	isForeign: boolean,
): Promise<Buffer> {
	if (isForeign) await throwIfInternal(helpers, new URL(request.url));
	const answer = (await helpers.httpRequest(request)) as IN8nHttpFullResponse;
	const { statusCode: status, headers, body } = answer;
	if (status === 200) return await collectContent(body as unknown as NodeStream);
	const isRedirect = status >= 300 && status < 400;
	throw new RequestFailure(
		`The server answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`,
		{ httpCode: status, retry: getRetryReason(status, headers['retry-after']) },
	);
}

type Helpers = IExecuteFunctions['helpers'];
type EgressFilter = ReturnType<NonNullable<Helpers['getSecureEgressFilter']>>;

async function throwIfInternal(helpers: Helpers, url: URL): Promise<void> {
	if (isInternalAddress(url.hostname)) throw internalAddressError();
	// Older versions of n8n have no protection against internal addresses, so files are requested without that
	// protection.
	const filter = helpers.getSecureEgressFilter?.('enforced');
	if (!filter) return;
	const allowed = await filter.validateUrl(url.href);
	if (!allowed.ok) throw allowed.error;
	const isName = !/^\[|^[\d.]+$/.test(url.hostname);
	if (isName && (await resolveName(filter, url.hostname)).some(isInternalAddress))
		throw internalAddressError();
}

/**
 * Looks up the addresses of a host name. n8n keeps them for a second, so the request right after the look-up uses the
 * same addresses.
 */
async function resolveName(filter: EgressFilter, name: string): Promise<string[]> {
	return await new Promise((resolve, reject) => {
		filter.createSecureLookup()(name, { all: true }, (failure, found) => {
			if (failure) reject(failure);
			else resolve([found].flat().map((one) => (typeof one === 'string' ? one : one.address)));
		});
	});
}

function internalAddressError(): RequestFailure {
	return failureError('The address is an internal one, and is not asked');
}

/** A stream of Node, as n8n's HTTP client returns it. */
export type NodeStream = AsyncIterable<Uint8Array>;

interface FileRequest {
	readonly url: string;
	readonly headers: IHttpRequestOptions['headers'];
	readonly timeout: number;
	readonly abortSignal: AbortSignal;
	/** The JSON that is posted. */
	readonly body?: string;
}

export function buildFileRequest({ body, headers, ...request }: FileRequest): IHttpRequestOptions {
	const isPosted = body !== undefined;
	return {
		...request,
		...(isPosted && { body }),
		method: isPosted ? 'POST' : 'GET',
		headers: { ...headers, ...(isPosted && { 'Content-Type': 'application/json' }) },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

async function collectContent(body: NodeStream): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > MAX_FILE_BYTES) throw failureError('The file is larger than 1 MB');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function failureError(message: string): RequestFailure {
	return new RequestFailure(message);
}

/** Error codes of a broken connection, after which a retry may succeed. */
const TRANSIENT_CODES = ['ECONNRESET', 'EPIPE', 'EAI_AGAIN'];

export function downloadError(thrown: unknown): RequestFailure {
	if (thrown instanceof RequestFailure) return thrown;
	const causes = getCauses(thrown);
	if (causes.some((cause) => cause instanceof Error && cause.name.startsWith('SsrfBlocked'))) {
		return new RequestFailure(
			'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)',
			{
				description:
					'If you trust the address, allow it in the environment variable N8N_SSRF_ALLOWED_HOSTNAMES.',
			},
		);
	}
	const code = findErrorCode(causes);
	return new RequestFailure(`The server could not be reached${code && ` (${code})`}`, {
		retry: TRANSIENT_CODES.includes(code) ? { because: 'lost' } : undefined,
	});
}
