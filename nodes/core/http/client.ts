import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { endpointOf, pathBelow, type Endpoint } from '../../../credentials/endpoint';
import { cancelSignalOf, isExecution, type AnyContext } from '../context';
import { RequestFailure } from '../errors/requestFailure';
import { Stopped } from '../pacing/stop';
import { networkFailure, timedOut } from './networkErrors';
import { secretsOf } from './secrets';
import type { HttpClient, HttpRequest, HttpResponse } from './types';

/**
 * n8n decrypts the credential on every request unless it is handed over: read once here, it saves more
 * than a millisecond a call. Redirects are not followed, because n8n re-attaches the secret to them, and a
 * bad status is not thrown, because n8n would send a 401 twice.
 */
export async function openHttpClient(
	context: AnyContext,
	credentialType: string,
): Promise<HttpClient> {
	const data = await context.getCredentials(credentialType);
	const endpoint = endpointOf(data);
	const secrets = secretsOf(context.getCredentialsProperties(credentialType), data);
	const ends = new RequestEnds();
	const credentialsDecrypted = { id: '', name: credentialType, type: credentialType, data };

	const send = async (asked: HttpRequest): Promise<HttpResponse> => {
		const request = { ...asked, path: ownPath(endpoint, asked.path) };
		const cancelled = cancelSignalOf(context);
		const end = ends.of(request, cancelled);
		try {
			const answer = (await context.helpers.httpRequestWithAuthentication.call(
				withCancelSignal(context, end.signal),
				credentialType,
				requestOptions(request, end.signal),
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
			const { statusCode: status, headers, body } = answer;
			return { status, headers, text: secrets.redactEchoes(String(body ?? '')) };
		} catch (error) {
			const isStopped = cancelled?.aborted || request.until?.aborted;
			const failure = end.signal.aborted ? timedOut(request) : networkFailure(error, request);
			throw isStopped ? new Stopped() : failure;
		} finally {
			end.over();
		}
	};
	return { send, redact: (text) => secrets.redact(text).replaceAll(endpoint.origin, '') };
}

/** n8n's helper puts the signal that stops the execution in place of any other; so it gets one that holds them all. */
function withCancelSignal(context: AnyContext, signal: AbortSignal): AnyContext {
	if (!isExecution(context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as AnyContext;
}

/** The service's links lead back to it, or nowhere: the secret would travel along. */
function ownPath(endpoint: Endpoint, path: string): string {
	// Behind a proxy a service may not know that it is reached by https.
	const [scheme = ''] = endpoint.origin.split(':');
	const own =
		pathBelow(endpoint, path) ?? pathBelow(endpoint, path.replace(/^https?:/i, `${scheme}:`));
	if (own !== undefined) return own;
	throw new RequestFailure('The service returned a link to a different address', {
		description:
			"The link was not followed, because the credential is sent to the service's own address only.",
	});
}

function requestOptions(
	{ method, path, query, body, timeout }: HttpRequest,
	abortSignal: AbortSignal,
): IHttpRequestOptions {
	const isJson = body !== undefined && !(typeof body === 'object' && Symbol.toStringTag in body);
	return {
		method,
		url: path,
		qs: query && { ...query },
		body: body as IHttpRequestOptions['body'],
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		timeout,
		abortSignal,
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * What ends a request: the execution that is stopped, whoever sent it, or the time. The client's own timeout stands
 * still while an answer comes, be it a byte a second.
 */
class RequestEnds {
	private readonly shared = new Map<AbortSignal, SharedListener>();

	of({ timeout, until }: HttpRequest, cancelled: AbortSignal | undefined) {
		const end = new AbortController();
		const abort = () => end.abort();
		const signals = [cancelled, until, timeout > 0 ? AbortSignal.timeout(timeout) : undefined];
		const heard = signals.filter((signal) => signal !== undefined);
		for (const signal of heard) this.listen(signal, abort);
		if (heard.some(({ aborted }) => aborted)) abort();
		return {
			signal: end.signal,
			/** Leaves no listener behind on signals that live longer. */
			over: () => {
				for (const signal of heard) this.leave(signal, abort);
			},
		};
	}

	private listen(signal: AbortSignal, abort: () => void): void {
		const listener = this.shared.get(signal) ?? listenTo(signal);
		this.shared.set(signal, listener);
		listener.aborts.add(abort);
	}

	private leave(signal: AbortSignal, abort: () => void): void {
		const listener = this.shared.get(signal);
		if (!listener?.aborts.delete(abort) || listener.aborts.size > 0) return;
		listener.remove();
		this.shared.delete(signal);
	}
}

interface SharedListener {
	readonly aborts: Set<() => void>;
	remove(): void;
}

/** One for all requests: older versions of Node take many listeners to one signal for a leak. */
function listenTo(signal: AbortSignal): SharedListener {
	const aborts = new Set<() => void>();
	const abortAll = () => aborts.forEach((abort) => abort());
	signal.addEventListener('abort', abortAll);
	return { aborts, remove: () => signal.removeEventListener('abort', abortAll) };
}
