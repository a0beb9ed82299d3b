import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { InvalidInput } from '../nodes/core/errors/invalidInput';

/** Where a credential's secret may go: an origin, and the path below which the service lives. */
export interface Endpoint {
	readonly origin: string;
	readonly prefix: string;
}

export const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Adds the secret, in the path or the headers, to a request below the credential's endpoint. Other requests stay
 * unchanged: n8n's HTTP Request node can send these credentials to any URL.
 */
export function withSecret(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	secret: { path?: (path: string) => string; headers?: Record<string, string> },
): IHttpRequestOptions {
	const endpoint = getEndpoint(credential);
	// The HTTP Request node passes `uri` instead of `url`.
	const { uri } = request as { uri?: string };
	const path = getPathBelow(endpoint, uri ?? request.url);
	if (path === undefined) return request;
	return {
		...request,
		headers: { ...request.headers, ...secret.headers },
		[uri === undefined ? 'url' : 'uri']:
			endpoint.origin + endpoint.prefix + (secret.path?.(path) ?? path),
	};
}

/** The path below the endpoint; undefined for a URL that leads elsewhere. */
export function getPathBelow({ origin, prefix }: Endpoint, target: string): string | undefined {
	const url = tryParseUrl(target);
	if (!url) return target === '' || target.startsWith('/') ? target : `/${target}`;
	const hasPath = /^[a-z]+:\/\/[^/?#]*\//i.test(target.trim());
	const path = hasPath ? url.pathname : '';
	const isBelow = url.origin === origin && (path === prefix || path.startsWith(`${prefix}/`));
	return isBelow ? path.slice(prefix.length) + url.search : undefined;
}

export function getEndpoint(credential: ICredentialDataDecryptedObject): Endpoint {
	if ('authToken' in credential) return parseTokenAccess(credential).endpoint;
	if ('baseUrl' in credential) return parseEndpoint(credential.baseUrl, 'Base URL');
	return 'url' in credential
		? parseEndpoint(credential.url, 'URL')
		: parseEndpoint(credential.nodeUrl, 'Node Address');
}

/** The errors name the field, never its value, which may hold a secret. */
function parseEndpoint(address: unknown, field: string): Endpoint {
	const url = tryParseUrl(getText(address).trim());
	const invalidError = (why: string) =>
		new InvalidInput(
			`The ${field} of the credential ${why}`,
			'Open the credential and correct it.',
		);
	if (!url) throw invalidError('must be a full address such as https://example.com');
	// A WebSocket address means the same endpoint over HTTP.
	const protocol = url.protocol.replace(/^ws/, 'http');
	if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK_HOST.test(url.hostname))) {
		throw invalidError('must begin with https:// (plain http is accepted for this computer only)');
	}
	if (url.username || url.password) throw invalidError('must not contain a user name or password');
	if (url.search || url.hash) throw invalidError('must not contain ? or #');
	return { origin: `${protocol}//${url.host}`, prefix: url.pathname.replace(/\/+$/, '') };
}

function tryParseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** Parses a secret, and trims it, because copied text often has white space around it. */
export function parseSecret(value: unknown, field: string): string {
	const given = getText(value).trim();
	if (given === '') throw new InvalidInput(`The ${field} of the credential is empty`);
	if (/[^\x21-\x7e]/.test(given)) {
		throw new InvalidInput(
			`The ${field} of the credential contains spaces or characters that cannot be sent`,
		);
	}
	return given;
}

export function buildBasicAuthHeaders(credential: ICredentialDataDecryptedObject) {
	const [username, password] = [getText(credential.username), getText(credential.password)];
	if (!username || !password) {
		throw new InvalidInput('The Username or the Password of the credential is empty');
	}
	if (username.includes(':')) {
		throw new InvalidInput('The Username of the credential must not contain a colon');
	}
	const encoded = encodeSecret(`${username}:${password}`).toString('base64');
	return { Authorization: `Basic ${encoded}` };
}

/** Encodes a secret as UTF-8 in memory of its own, because small Buffers share memory that other code can read later. */
export function encodeSecret(secret: string): Buffer {
	const bytes = Buffer.alloc(Buffer.byteLength(secret));
	bytes.write(secret);
	return bytes;
}

/** Returns the text of a field, or its number as text. Returns '' for any other value, and calls none of its methods. */
export function getText(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? value : '';
}

interface TokenAccess {
	readonly endpoint: Endpoint;
	/** The URL-encoded token. It is empty for a node without a token. */
	readonly segment: string;
	/** The address that holds the token, if it is a WebSocket address. */
	readonly socketUrl?: string;
}

/**
 * Parses a node address that contains the token, as the service's console shows it. The address and the token may also be in two separate
 * fields.
 */
export function parseTokenAccess(credential: ICredentialDataDecryptedObject): TokenAccess {
	const given = parseSecret(credential.authToken, 'Node Address');
	const address = getText(credential.nodeUrl).trim();
	if (/^[a-z]+:\/\//i.test(given)) return parseTokenAddress(given, address);
	if (address === '') throw lonelyTokenError();
	return { endpoint: parseNodeUrl(address, given), segment: encodeTokenSegment(given) };
}

function lonelyTokenError(): InvalidInput {
	return new InvalidInput(
		'The Node Address of the credential must be a full address such as https://example.com/token, because Address Without Token is empty',
		"Copy the whole address, with the token in it, from your provider's console into Node Address.",
	);
}

/** Returns the text that the user entered, and the token in it. */
export function getTokenForms(given: string): string[] {
	const segments = given.includes('://') ? given.split('/').slice(3) : [];
	const token = findLongest(segments);
	return token ? [given, token, decodeSegment(token)] : [given];
}

/**
 * The longest segment is taken for the token, because the other segments are `ws` or `evm`. An address without a path belongs to a node
 * without a token.
 */
function parseTokenAddress(given: string, nodeUrl: string): TokenAccess {
	const { origin, prefix } = parseEndpoint(given, 'Node Address');
	const segments = prefix.split('/').slice(1);
	const segment = findLongest(segments);
	if (nodeUrl !== '' && parseEndpoint(nodeUrl, 'Address Without Token').origin !== origin) {
		throw new InvalidInput(
			"'Node Address' and 'Address Without Token' of the credential lead to different servers",
			'Node Address holds the whole address, so leave Address Without Token empty.',
		);
	}
	const before = segments.slice(0, segments.indexOf(segment)).filter((part) => part !== 'ws');
	return {
		endpoint: { origin, prefix: before.map((part) => `/${part}`).join('') },
		segment,
		...(/^ws/i.test(given) && { socketUrl: given }),
	};
}

/** This address is shown in n8n's editor without a mask, so it must not contain the token. */
function parseNodeUrl(nodeUrl: string, token: string): Endpoint {
	const endpoint = parseEndpoint(nodeUrl, 'Address Without Token');
	const segments = endpoint.prefix.split('/');
	const isSecret = (part: string) => decodeSegment(part) === token || looksLikeSecret(part);
	if (!segments.some(isSecret)) return endpoint;
	throw new InvalidInput(
		"The field 'Address Without Token' of the credential must not contain the access token",
		'Put the whole address into Node Address, which is masked, and leave Address Without Token empty.',
	);
}

function looksLikeSecret(part: string): boolean {
	return /^[\w-]{20,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part);
}

function encodeTokenSegment(token: string): string {
	const segment = encodeURIComponent(token);
	if (/^\.+$/.test(segment)) {
		throw new InvalidInput(
			'The Node Address of the credential consists of dots alone: enter the whole address, such as https://example.com/token',
		);
	}
	return segment;
}

function findLongest(segments: readonly string[]): string {
	return segments.reduce((one, other) => (other.length > one.length ? other : one), '');
}

function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
