import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Trouble } from './trouble.mjs';

/** Below those that systems give to connections: until it is listened to, no connection takes what was found free. */
const RANGE = { from: 20_000, to: 32_768 };
const TRIES = 100;

/** A port that nobody uses: the one that is wanted, or any. */
export async function freePort(wanted?: number): Promise<number> {
	if (wanted !== undefined) {
		const code = await whyNot(wanted);
		if (!code) return wanted;
		throw new Trouble(
			`Port ${wanted} cannot be used (${code}): choose another with --port, or leave it out.`,
		);
	}
	for (let left = TRIES; ; left--) {
		const port = randomInt(RANGE.from, RANGE.to);
		const code = await whyNot(port);
		if (!code) return port;
		if (left === 0) throw new Trouble(`No port can be used (${code}).`);
	}
}

/** Why a port cannot be listened to, if so. */
async function whyNot(port: number): Promise<string | undefined> {
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
