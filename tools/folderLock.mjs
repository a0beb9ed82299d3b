import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = '127.0.0.1';
/** The range of ports for locks. `findFreePort` and operating systems give out only higher ports. */
const FIRST_PORT = 10_000;
const PORT_COUNT = 10_000;
const ANSWER_TIMEOUT_MS = 1_000;
const RETRY_INTERVAL_MS = 500;

/**
 * Locks a folder for this process: it listens on a port that is computed from the folder.
 * The system frees the port however the process ends. Returns the lock, or nothing if another process has it.
 */
export async function acquireLock(folder) {
	const server = createServer((socket) => socket.end(String(process.pid)));
	try {
		await once(server.listen(getPort(folder), HOST), 'listening');
		return server.unref();
	} catch (error) {
		if (error.code === 'EADDRINUSE') return undefined;
		throw error;
	}
}

/** Names the process that has the lock of a folder, or its port if it does not answer. */
export async function nameHolder(folder) {
	const port = getPort(folder);
	const socket = connect(port, HOST).setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
	const answer = await text(socket).catch(() => '');
	return /^\d+$/.test(answer) ? `process ${answer}` : `a process that listens on port ${port}`;
}

/** Runs a job that only one process at a time may run in a folder. Other processes wait. */
export async function withLock(folder, job) {
	mkdirSync(folder, { recursive: true });
	let lock = await acquireLock(folder);
	if (!lock)
		console.log(`  ${await nameHolder(folder)} does this already; this process waits for it`);
	for (; !lock; lock = await acquireLock(folder)) await sleep(RETRY_INTERVAL_MS);
	try {
		return await job();
	} finally {
		lock.close();
	}
}

function getPort(folder) {
	const hash = createHash('sha256').update(realpathSync(folder)).digest();
	return FIRST_PORT + (hash.readUInt32BE() % PORT_COUNT);
}
