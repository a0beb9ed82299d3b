import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { UserError } from './userError.mjs';

/**
 * The range of ports for services. Systems give higher ports to connections, so none of them takes a free port before
 * it is used.
 */
const PORT_RANGE = { from: 20_000, to: 32_768 };
const MAX_TRIES = 100;

/** Returns a free port. If a port is wanted and not free, it throws. */
export async function findFreePort(wanted?: number): Promise<number> {
	if (wanted !== undefined) {
		const code = await findListenError(wanted);
		if (!code) return wanted;
		throw new UserError(
			`Port ${wanted} cannot be used (${code}): choose another port with --port, or leave --port out.`,
		);
	}
	for (let left = MAX_TRIES; ; left--) {
		const port = randomInt(PORT_RANGE.from, PORT_RANGE.to);
		const code = await findListenError(port);
		if (!code) return port;
		if (left === 0) throw new UserError(`No port can be used (${code}).`);
	}
}

/** Returns the reason why a port cannot be used. Returns undefined if it is free. */
async function findListenError(port: number): Promise<string | undefined> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		return (error as NodeJS.ErrnoException).code;
	}
	server.close();
	await once(server, 'close');
	return undefined;
}
