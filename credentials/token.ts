import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { endpointAt, type Endpoint } from './address';
import { Refusal } from './refusal';
import { cleanSecret } from './secret';

/** Where a token credential leads. */
export interface TokenAccess {
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
		throw new Refusal(
			'The Auth Token of the credential is an address without a token',
			'Copy the whole address from the console, or the token alone.',
		);
	}
	if (nodeUrl !== '' && endpointAt(nodeUrl, 'Node URL').origin !== origin) {
		throw new Refusal(
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
	throw new Refusal(
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
	if (/^\.+$/.test(segment)) throw new Refusal('The Auth Token of the credential is not a token');
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
