import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InvalidInput } from './invalidInput';
import { basicHeaders, endpointOf, pathBelow, tokenAccess } from './endpoint';

export interface SocketAddress {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Where the token goes in an address that the user gave. */
const TOKEN = /<(?:AUTH_)?TOKEN>/gi;

/**
 * Where the WebSocket of a node is: at the documented place below the node's address, or at the address given.
 * The secret goes to the node's own address only; any other is used as it is.
 */
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
	const withToken = url.replace(TOKEN, segment);
	if (withToken !== url && pathBelow({ origin, prefix: '' }, withToken) === undefined) {
		throw new InvalidInput(
			"'WebSocket URL' leads to a different host than the credential",
			'The token goes to that host only. Make a credential for this host.',
		);
	}
	return { url: overWebSocket(withToken), headers: {} };
}

/** Over HTTP the same address is asked why it refused. */
export function overHttp(url: string): string {
	return url.replace(/^ws/i, 'http');
}

function overWebSocket(url: string): string {
	return url.replace(/^http/i, 'ws');
}
