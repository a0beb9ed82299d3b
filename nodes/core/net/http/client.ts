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
	/** The decrypted credential, if the caller has already read it. */
	readonly credential?: ICredentialDataDecryptedObject;
}

/**
 * Sends requests through n8n's helper. The helper gets the decrypted credential, because decrypting it for each request
 * takes more than 1 ms. Redirects are not followed, because n8n would send the secret along. Error statuses do not
 * throw, because n8n would then send a request with status 401 twice. A credential that other nodes must not use has no
 * `authenticate` of its own, so the caller passes that function.
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

/** Adds the secret to a request. */
export type Authenticate = (
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/**
 * Makes n8n's helper use `signal`. The helper always takes the cancel signal of the execution, so a derived context
 * returns `signal` in its place.
 */
function withCancelSignal(context: AnyContext, signal: AbortSignal): AnyContext {
	if (!isExecution(context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as AnyContext;
}

/** Throws if a link from the service leads to another address, because the secret would be sent there. */
function requireOwnPath(endpoint: Endpoint, path: string): string {
	// A service behind a proxy may write http instead of https.
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
