import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { getEndpoint, getPathBelow, type Endpoint } from '../../../../credentials/endpoint';
import { getCancelSignal, isExecution, type AnyContext } from '../../context';
import { RequestFailure } from '../../errors/requestFailure';
import { Stopped } from '../pacing/stop';
import { getPlainCredential } from './credential';
import { Deadlines } from './deadlines';
import { networkError, timeoutError } from './networkErrors';
import { createRedactor } from './secrets';
import type { HttpClient, HttpRequest, HttpResponse } from './types';

export interface ClientSettings {
	readonly authenticate?: Authenticate;
	/** The decrypted credential where the caller has read it already. */
	readonly credential?: ICredentialDataDecryptedObject;
}

/**
 * Sends requests through n8n's helper. It receives the decrypted credential, or it would decrypt it on every request,
 * for more than a millisecond. Redirects are not followed: n8n re-attaches the secret to them. Bad statuses do not
 * throw: n8n would send a 401 twice. A credential that other nodes must not send has no `authenticate`; the caller
 * passes one then.
 */
export async function openHttpClient(
	context: AnyContext,
	credentialType: string,
	{ authenticate, credential }: ClientSettings = {},
): Promise<HttpClient> {
	const data = credential ?? (await getPlainCredential(context, credentialType));
	const endpoint = getEndpoint(data);
	const secrets = createRedactor(context.getCredentialsProperties(credentialType), data);
	const deadlines = new Deadlines();
	const credentialsDecrypted = { id: '', name: credentialType, type: credentialType, data };

	const sendByHelper = async (options: IHttpRequestOptions, signal: AbortSignal) => {
		if (authenticate) {
			return await context.helpers.httpRequest(await authenticate(data, options));
		}
		return (await context.helpers.httpRequestWithAuthentication.call(
			withCancelSignal(context, signal),
			credentialType,
			options,
			{ credentialsDecrypted },
		)) as unknown;
	};

	const send = async (given: HttpRequest): Promise<HttpResponse> => {
		const request = { ...given, path: requireOwnPath(endpoint, given.path) };
		const cancelled = getCancelSignal(context);
		const deadline = deadlines.start(request, cancelled);
		try {
			const options = buildRequestOptions(request, deadline.signal);
			const answer = (await sendByHelper(options, deadline.signal)) as IN8nHttpFullResponse;
			const { statusCode: status, headers, body } = answer;
			return { status, headers, text: secrets.redactEchoes(String(body ?? '')) };
		} catch (error) {
			const isStopped = cancelled?.aborted || request.signal?.aborted;
			const failure = deadline.signal.aborted
				? timeoutError(request)
				: networkError(error, request);
			throw isStopped ? new Stopped() : failure;
		} finally {
			deadline.release();
		}
	};
	return { send, redact: (text) => secrets.redact(text).replaceAll(endpoint.origin, '') };
}

/** Adds the secret to a request below the credential's address. */
export type Authenticate = (
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** n8n's helper replaces any signal by the execution's cancel signal, so this context returns ours as that one. */
function withCancelSignal(context: AnyContext, signal: AbortSignal): AnyContext {
	if (!isExecution(context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as AnyContext;
}

/** A link of the service is followed only to the service's own address, because the secret is sent with it. */
function requireOwnPath(endpoint: Endpoint, path: string): string {
	// A service behind a proxy may write http for https.
	const [scheme = ''] = endpoint.origin.split(':');
	const own =
		getPathBelow(endpoint, path) ?? getPathBelow(endpoint, path.replace(/^https?:/i, `${scheme}:`));
	if (own !== undefined) return own;
	throw new RequestFailure('The service returned a link to a different address', {
		description:
			"The link was not followed, because the credential is sent only to the service's own address.",
	});
}

function buildRequestOptions(
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
