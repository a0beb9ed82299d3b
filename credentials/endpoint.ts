import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { endpointAt, parseUrl, type Endpoint } from './address';
import { tokenAccess } from './token';

/** The endpoint of any credential of this package. */
export function endpointOf(credential: ICredentialDataDecryptedObject): Endpoint {
	if ('authToken' in credential) return tokenAccess(credential).endpoint;
	return 'baseUrl' in credential
		? endpointAt(credential.baseUrl, 'Base URL')
		: endpointAt(credential.nodeUrl, 'Node URL');
}

/** The path of a URL below the endpoint; undefined when it leads elsewhere. A bare path is the endpoint's own. */
export function pathBelow({ origin, prefix }: Endpoint, target: string): string | undefined {
	const url = parseUrl(target);
	if (!url) return target === '' || target.startsWith('/') ? target : `/${target}`;
	const hasPath = /^[a-z]+:\/\/[^/?#]*\//i.test(target.trim());
	const path = hasPath ? url.pathname : '';
	const isBelow = url.origin === origin && (path === prefix || path.startsWith(`${prefix}/`));
	return isBelow ? path.slice(prefix.length) + url.search : undefined;
}

/**
 * The request as it is sent to the endpoint: at `path(…)`, with `headers`. What leads elsewhere is left as it
 * is: n8n's HTTP Request node can use these credentials with any URL, but the secret stays at home.
 */
export function atEndpoint(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	secret: { path?: (path: string) => string; headers?: Record<string, string> },
): IHttpRequestOptions {
	const endpoint = endpointOf(credential);
	// The HTTP Request node says `uri` where everything else says `url`.
	const { uri } = request as { uri?: string };
	const path = pathBelow(endpoint, uri ?? request.url);
	if (path === undefined) return request;
	return {
		...request,
		headers: { ...request.headers, ...secret.headers },
		[uri === undefined ? 'url' : 'uri']:
			endpoint.origin + endpoint.prefix + (secret.path?.(path) ?? path),
	};
}
