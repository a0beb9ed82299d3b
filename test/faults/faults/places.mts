import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificate } from '../../../sandbox/apis/grpc/transport.mts';
import type { Fault, Place } from '../fault.mts';

/**
 * Creates a fault in which the credential names an address that does not lead to the service. No request may arrive
 * there.
 */
const place = (name: string, words: RegExp, instead: () => Promise<Place>): Fault => ({
	name,
	instead,
	words,
	do: ({ honest }) => honest(),
	then: { else: 'fails' },
	requests: { batched: 0, rest: 0, once: 0, onceSigned: 0, onceOverRpc: 0 },
	isShared: true,
});

async function listen(server: Server): Promise<Place> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url, stop: async () => void (await once(server.close(), 'close')) };
}

/** A host name that does not exist. The look-up is replaced, so the resolver of the machine does not matter. */
const NOBODY = 'nobody.invalid';
const notFound = Object.assign(new Error(`getaddrinfo ENOTFOUND ${NOBODY}`), { code: 'ENOTFOUND' });

type Lookup = (host: string, ...rest: readonly unknown[]) => unknown;
const resolver = dns as unknown as { lookup: Lookup };
const { lookup } = resolver;
resolver.lookup = (host, ...rest) =>
	host === NOBODY ? (rest.at(-1) as (error: Error) => void)(notFound) : lookup(host, ...rest);

export const places: readonly Fault[] = [
	place('a host without an address', /host of the service was not found/, async () => ({
		url: `https://${NOBODY}`,
		stop: async () => {},
	})),
	// Nothing listens on port 9. A port that was free a moment ago could now belong to another test.
	place('a refused connection', /refused the connection/, async () => ({
		url: 'http://127.0.0.1:9',
		stop: async () => {},
	})),
	place('a certificate signed by itself', /could not prove its identity \(TLS\)/, async () => {
		const { key, certificate } = await createCertificate();
		return await listen(createTlsServer({ key, cert: certificate }));
	}),
	place('no TLS where it is asked for', /could not prove its identity \(TLS\)/, async () =>
		listen(createServer()),
	),
];
