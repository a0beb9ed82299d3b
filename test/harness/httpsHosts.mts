import http from 'node:http';
import https from 'node:https';
import { SsrfProtectionService } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { TestServer } from './server.mts';

/** An address of nobody here, which n8n's protection allows. */
const PUBLIC_ADDRESS = '93.184.216.34';
const ALLOWED = { ok: true, result: undefined } as const;

/**
 * Lets a server on this machine answer for all hosts below `example.com` by https. The server has neither their names
 * nor their certificates, and n8n does not notice. All other addresses are unchanged. Each test has to ask for this
 * again.
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
