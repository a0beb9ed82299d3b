import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Endpoint } from '../../../credentials/address';
import { endpointOf, pathBelow } from '../../../credentials/endpoint';
import { cancelSignalOf, type NodeContext } from '../context';
import { RequestFailure } from '../errors/requestFailure';
import { Stopped } from '../errors/stopped';
import { MultipartForm } from './multipart';
import { secretsOf } from './secrets';
import { networkFailure } from './networkErrors';
import type { HttpAnswer, HttpClient, HttpRequest } from './types';

/**
 * n8n decrypts the credential on every request unless it is handed over: read once here, it saves more
 * than a millisecond a call. Redirects are not followed, because n8n re-attaches the secret to them, and a
 * bad status is not thrown, because n8n would send a 401 twice.
 */
export async function openHttpClient(
	context: NodeContext,
	credentialType: string,
): Promise<HttpClient> {
	const data = await context.getCredentials(credentialType);
	const endpoint = endpointOf(data);
	const secrets = secretsOf(context.getCredentialsProperties(credentialType), data);
	const credentialsDecrypted = { id: '', name: credentialType, type: credentialType, data };

	const send = async (asked: HttpRequest): Promise<HttpAnswer> => {
		const request = { ...asked, path: ownPath(endpoint, asked.path) };
		try {
			const answer = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				requestOptions(request),
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
			const { statusCode: status, headers, body } = answer;
			return { status, headers, text: secrets.redactEchoes(String(body ?? '')) };
		} catch (error) {
			throw cancelSignalOf(context)?.aborted ? new Stopped() : networkFailure(error, request);
		}
	};
	return { send, redact: (text) => secrets.redact(text).replaceAll(endpoint.origin, '') };
}

/** The service's links lead back to it, or nowhere: the secret would travel along. */
function ownPath(endpoint: Endpoint, path: string): string {
	const own = pathBelow(endpoint, path);
	if (own !== undefined) return own;
	throw new RequestFailure('The service gave a link that leads to another address', {
		description: 'The link was not followed, because the credential belongs to the service alone.',
	});
}

function requestOptions({ method, path, query, body, timeout }: HttpRequest): IHttpRequestOptions {
	const isJson = body !== undefined && !(body instanceof MultipartForm);
	return {
		method,
		url: path,
		qs: query && { ...query },
		body: body as IHttpRequestOptions['body'],
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		timeout,
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}
