import { Refusal } from './refusal';

/** Where a credential's secret may go: an origin, and the path below which the service lives. */
export interface Endpoint {
	readonly origin: string;
	readonly prefix: string;
}

/** The names of this computer itself. */
export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** The endpoint at an address. A refusal names the field, and never what stands in it: that may be a secret. */
export function endpointAt(address: unknown, field: string): Endpoint {
	const url = parseUrl(String(address ?? '').trim());
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
