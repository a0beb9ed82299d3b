import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { InvalidInput } from './invalidInput';

/** Where a credential's secret may go: an origin, and the path below which the service lives. */
export interface Endpoint {
	readonly origin: string;
	readonly prefix: string;
}

/** The names of this computer itself. */
export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** The endpoint at an address. A refusal names the field, and never what stands in it: that may be a secret. */
function endpointAt(address: unknown, field: string): Endpoint {
	const url = parseUrl(String(address ?? '').trim());
	const refuse = (why: string): never => {
		throw new InvalidInput(
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

/** A secret as it is sent. White space around it, as copying leaves it, does not count. */
export function cleanSecret(value: unknown, field: string): string {
	const given = String(value ?? '').trim();
	if (given === '') throw new InvalidInput(`The ${field} of the credential is empty`);
	if (/[^\x21-\x7e]/.test(given)) {
		throw new InvalidInput(
			`The ${field} of the credential contains spaces or characters that cannot be sent`,
		);
	}
	return given;
}

export function basicHeaders({ username, password }: ICredentialDataDecryptedObject) {
	if (!username || !password) {
		throw new InvalidInput('The Username or the Password of the credential is empty');
	}
	// The first colon ends the user name on the wire.
	if (String(username).includes(':')) {
		throw new InvalidInput('The Username of the credential must not contain a colon');
	}
	const encoded = Buffer.from(`${username}:${password}`).toString('base64');
	return { Authorization: `Basic ${encoded}` };
}

/** Where a token credential leads. */
interface TokenAccess {
	readonly endpoint: Endpoint;
	/** The token as a segment of a path. */
	readonly segment: string;
	/** The address of the WebSocket, where that is what was given. */
	readonly socketUrl?: string;
}

/** The node's address and the token, each in its field, or both in one address, as the console shows it. */
export function tokenAccess(credential: ICredentialDataDecryptedObject): TokenAccess {
	const given = cleanSecret(credential.authToken, 'Auth Token');
	const address = String(credential.nodeUrl ?? '').trim();
	return /^[a-z]+:\/\//i.test(given)
		? wholeAddress(given, address)
		: { endpoint: withoutToken(address, given), segment: tokenSegment(given) };
}

/** The secrets in a token credential's field: what was typed, and the token in it. */
export function tokensIn(given: string): string[] {
	const segments = given.includes('://') ? given.split('/').slice(3) : [];
	const token = longest(segments);
	return token ? [given, token, decoded(token)] : [given];
}

/** Of the parts of an address, such as `ws`, the token and `evm`, the token is the longest. */
function wholeAddress(given: string, nodeUrl: string): TokenAccess {
	const { origin, prefix } = endpointAt(given, 'Auth Token');
	const segments = prefix.split('/').slice(1);
	const segment = longest(segments);
	if (!segment) {
		throw new InvalidInput(
			'The Auth Token of the credential is an address without a token',
			'Copy the whole address from the console, or the token alone.',
		);
	}
	if (nodeUrl !== '' && endpointAt(nodeUrl, 'Node URL').origin !== origin) {
		throw new InvalidInput(
			'The Node URL and the Auth Token of the credential name two different hosts',
			'When Auth Token holds the whole address, Node URL may stay empty.',
		);
	}
	const before = segments.slice(0, segments.indexOf(segment)).filter((part) => part !== 'ws');
	return {
		endpoint: { origin, prefix: before.map((part) => `/${part}`).join('') },
		segment,
		...(/^ws/i.test(given) && { socketUrl: given }),
	};
}

/** A token in the address would be seen: only the secret's own field is masked. */
function withoutToken(nodeUrl: string, token: string): Endpoint {
	const endpoint = endpointAt(nodeUrl, 'Node URL');
	const segments = endpoint.prefix.split('/');
	const isSecret = (part: string) => decoded(part) === token || looksSecret(part);
	if (!segments.some(isSecret)) return endpoint;
	throw new InvalidInput(
		'The Node URL of the credential must not contain the token',
		'Put the whole address into Auth Token, which is masked, and leave Node URL empty.',
	);
}

/** Long, and made of letters and digits in no order. */
function looksSecret(part: string): boolean {
	return /^[\w-]{20,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part);
}

function tokenSegment(token: string): string {
	const segment = encodeURIComponent(token);
	if (/^\.+$/.test(segment))
		throw new InvalidInput('The Auth Token of the credential is not a token');
	return segment;
}

function longest(segments: readonly string[]): string {
	return segments.reduce((one, other) => (other.length > one.length ? other : one), '');
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

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
