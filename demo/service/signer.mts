import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TronWeb, utils } from 'tronweb';

export interface Signer {
	/** The URL to which TRON transactions are sent to be signed. */
	url: string;
	address: string;
	close: () => void;
}

type UnsignedTransaction = Parameters<typeof utils.crypto.signTransaction>[1];

/** Starts a signing service with a key of its own. It stands for any service that keeps the keys of a user. */
export async function startSigner(): Promise<Signer> {
	const key = randomBytes(32).toString('hex');
	const address = TronWeb.address.fromPrivateKey(key);
	if (!address) throw new Error('The signer has no address');
	const server = createServer((request, response) => {
		void readBody(request)
			.then(async (body) => await utils.crypto.signTransaction(key, body as UnsignedTransaction))
			.then(
				(signed) =>
					response.writeHead(200, { 'content-type': 'application/json' }).end(stringify(signed)),
				(error: Error) => response.writeHead(400).end(error.message),
			);
	});
	// The server must not keep the process alive if the start fails.
	server.listen(0, '127.0.0.1').unref();
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/sign`, address, close: () => server.close() };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString());
}

const stringify = (value: unknown) => JSON.stringify(value);
