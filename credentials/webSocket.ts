import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { basicHeaders, endpointOf, pathBelow, tokenAccess } from './endpoint';
import { InvalidInput } from './invalidInput';

export interface SocketAddress {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

const PLACEHOLDER = /<(?:AUTH_)?TOKEN>/gi;

/** The address given, or the documented one below the node's. The secret goes to the node's own host only. */
export function socketAddress(
	credential: ICredentialDataDecryptedObject,
	given: string,
): SocketAddress {
	const { origin, prefix } = endpointOf(credential);
	const usual = `${origin}${prefix.replace(/\/ws$/, '')}/ws`;
	if (!('authToken' in credential)) {
		const url = given ? overHttp(given) : usual;
		const isOwn = pathBelow({ origin, prefix: '' }, url) !== undefined;
		return { url: overWebSocket(url), headers: isOwn ? basicHeaders(credential) : {} };
	}
	const { segment, socketUrl } = tokenAccess(credential);
	const url = overHttp(given || (socketUrl ?? `${usual}/<TOKEN>`));
	const withToken = url.replace(PLACEHOLDER, segment);
	if (withToken !== url && pathBelow({ origin, prefix: '' }, withToken) === undefined) {
		throw new InvalidInput(
			"'WebSocket URL' leads to a different host than the credential",
			'The token goes to that host only. Make a credential for this host.',
		);
	}
	return { url: overWebSocket(withToken), headers: {} };
}

export function overHttp(url: string): string {
	return url.replace(/^ws/i, 'http');
}

function overWebSocket(url: string): string {
	return url.replace(/^http/i, 'ws');
}
