import { once } from 'node:events';
import { createServer } from 'node:net';
import { Trouble } from './trouble.mjs';

/** A port that nobody uses: the one that is wanted, or any. */
export async function freePort(wanted = 0): Promise<number> {
	const { port, close } = await listening(wanted);
	await close();
	return port;
}

async function listening(wanted: number) {
	const server = createServer().listen(wanted, '127.0.0.1');
	await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
		throw new Trouble(
			`Port ${wanted} cannot be used (${code}): choose another with --port, or leave it out.`,
		);
	});
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : wanted;
	const close = async () => {
		server.close();
		await once(server, 'close');
	};
	return { port, close };
}
