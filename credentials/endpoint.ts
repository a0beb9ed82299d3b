import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { Refusal } from './refusal';

/** Where a credential's secret may go: an origin, and the path below which the service lives. */
export interface Endpoint {
	readonly origin: string;
	readonly prefix: string;
}

/** The names of this computer itself. */
export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The endpoint of any credential of this package: its address stands in `baseUrl` or in `nodeUrl`. */
export function endpointOf(credential: ICredentialDataDecryptedObject): Endpoint {
	return 'baseUrl' in credential
		? endpoint(credential.baseUrl, 'Base URL')
		: endpoint(credential.nodeUrl, 'Node URL');
}

function endpoint(address: unknown, field: string): Endpoint {
	const url = parse(String(address ?? '').trim());
	const refuse = (why: string): never => {
		throw new Refusal(
			`The ${field} of the credential ${why}`,
			'Open the credential and correct it.',
		);
	};
	if (!url) return refuse('must be a full address such as https://example.com');
	// A trigger may need the WebSocket address of the same host; over HTTP it is the same endpoint.
	const protocol = url.protocol.replace(/^ws/, 'http');
	if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(url.hostname))) {
		return refuse('must begin with https:// (plain http is accepted for this computer only)');
	}
	if (url.username || url.password) return refuse('must not contain a user name or password');
	if (url.search || url.hash) return refuse('must not contain ? or #');
	return { origin: `${protocol}//${url.host}`, prefix: url.pathname.replace(/\/+$/, '') };
}

/** The path of a URL below the endpoint; undefined when it leads elsewhere. A bare path is the endpoint's own. */
export function pathBelow({ origin, prefix }: Endpoint, target: string): string | undefined {
	const url = parse(target);
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

function parse(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}
