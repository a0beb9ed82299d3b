import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { buildBasicAuthHeaders, getEndpoint, getPathBelow, parseTokenAccess } from './endpoint';
import { InvalidInput } from '../nodes/core/errors/invalidInput';

export interface SocketAddress {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

const TOKEN_PLACEHOLDER = /<(?:AUTH_)?TOKEN>/gi;

/**
 * Builds a WebSocket address: the given address, or else the documented address below the node's own. The secret is sent only to the node's
 * own host.
 */
export function buildSocketAddress(
	credential: ICredentialDataDecryptedObject,
	given: string,
): SocketAddress {
	const { origin, prefix } = getEndpoint(credential);
	const documentedUrl = `${origin}${prefix.replace(/\/ws$/, '')}/ws`;
	if (!('authToken' in credential)) {
		const url = given ? toHttpUrl(given) : documentedUrl;
		const isOwn = getPathBelow({ origin, prefix: '' }, url) !== undefined;
		return { url: toSocketUrl(url), headers: isOwn ? buildBasicAuthHeaders(credential) : {} };
	}
	const { segment, socketUrl } = parseTokenAccess(credential);
	const ownUrl = segment === '' ? origin : `${documentedUrl}/<TOKEN>`;
	const url = toHttpUrl(given || (socketUrl ?? ownUrl));
	const withToken = url.replace(TOKEN_PLACEHOLDER, segment);
	if (withToken !== url && getPathBelow({ origin, prefix: '' }, withToken) === undefined) {
		throw new InvalidInput(
			"'WebSocket URL' leads to another server than the credential",
			"The token is sent to the credential's server only. Make a credential for the server in 'WebSocket URL'.",
		);
	}
	return { url: toSocketUrl(withToken), headers: {} };
}

export function toHttpUrl(url: string): string {
	return url.replace(/^ws/i, 'http');
}

function toSocketUrl(url: string): string {
	return url.replace(/^http/i, 'ws');
}
