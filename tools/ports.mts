import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { UserError } from './userError.mjs';

/** Below those that systems give to connections: until it is listened to, no connection takes what was found free. */
const PORT_RANGE = { from: 20_000, to: 32_768 };
const MAX_TRIES = 100;

/** A port that nobody uses: the one that is wanted, or any. */
export async function findFreePort(wanted?: number): Promise<number> {
	if (wanted !== undefined) {
		const code = await findListenError(wanted);
		if (!code) return wanted;
		throw new UserError(
			`Port ${wanted} cannot be used (${code}): choose another with --port, or leave it out.`,
		);
	}
	for (let left = MAX_TRIES; ; left--) {
		const port = randomInt(PORT_RANGE.from, PORT_RANGE.to);
		const code = await findListenError(port);
		if (!code) return port;
		if (left === 0) throw new UserError(`No port can be used (${code}).`);
	}
}

/** Why a port cannot be listened to, if so. */
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
