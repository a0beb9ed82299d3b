import http from 'node:http';
import https from 'node:https';
import { SsrfProtectionService } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { TestServer } from './server.mts';

/** A public address that belongs to no machine of the tests, and that n8n's SSRF protection allows. */
const PUBLIC_ADDRESS = '93.184.216.34';
const ALLOWED = { ok: true, result: undefined } as const;

/**
 * Makes a server on this machine answer for all https hosts below `example.com`, although it lacks their certificates.
 * Other addresses are unchanged. A test must call this function itself, because the effect ends with each test.
 */
export function serveHosts({ port }: TestServer): void {
	const protection = Container.get(SsrfProtectionService);
	const validate = protection.validateUrl.bind(protection);
	jest
		.spyOn(protection, 'validateUrl')
		.mockImplementation(async (url) =>
			isHostHere(new URL(url).hostname) ? ALLOWED : await validate(url),
		);
	const createLookup = protection.createSecureLookup.bind(protection);
	jest.spyOn(protection, 'createSecureLookup').mockImplementation(() => {
		const lookup = createLookup();
		return (name, options, done) => {
			if (!isHostHere(name)) return lookup(name, options, done);
			return done(null, options.all ? [{ address: PUBLIC_ADDRESS, family: 4 }] : PUBLIC_ADDRESS, 4);
		};
	});
	const request = https.request.bind(https) as typeof http.request;
	jest.spyOn(https, 'request').mockImplementation(((
		options: http.RequestOptions,
		done: (response: http.IncomingMessage) => void,
	) => {
		const { hostname: host, headers } = options;
		if (!isHostHere(String(host))) return request(options, done);
		const here = { protocol: 'http:', hostname: '127.0.0.1', host: '127.0.0.1', port };
		const sent = { ...options, ...here, headers: { ...headers, host }, agent: false };
		return http.request({ ...sent, lookup: undefined } as http.RequestOptions, done);
	}) as typeof https.request);
}

function isHostHere(name: string): boolean {
	return name.endsWith('.example.com');
}
