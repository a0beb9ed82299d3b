import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Ask, session } from '../../demo/run/session.mts';

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A session with an n8n that answers so. */
async function sessionWith(answer: (request: IncomingMessage) => readonly [number, unknown]) {
	const n8n = createServer((request, response) => {
		const [status, data] = answer(request);
		response.writeHead(status, { 'set-cookie': 'n8n-auth=told; HttpOnly' });
		response.end(JSON.stringify({ data }));
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	closing.push(() => n8n.close());
	return session(`http://127.0.0.1:${(n8n.address() as AddressInfo).port}`).ask;
}

/** As one does that was busy until it had no more time for the connections that it kept. */
function resetsWhatItKept({ socket }: IncomingMessage) {
	const isKept = known.has(socket);
	known.add(socket);
	if (isKept) socket.resetAndDestroy();
	return [200, 'here'] as const;
}
const known = new WeakSet<Socket>();

async function threeTimes(ask: Ask) {
	return [await ask('GET', '/a'), await ask('POST', '/b', {}), await ask('GET', '/c')];
}

test('an n8n that resets the connections that it kept answers every time', async () => {
	const ask = await sessionWith(resetsWhatItKept);
	expect(await threeTimes(ask)).toEqual(['here', 'here', 'here']);
});

test('the cookie that it gave is shown to it', async () => {
	const ask = await sessionWith(({ headers }) => [200, headers.cookie ?? 'none']);
	expect(await threeTimes(ask)).toEqual(['', 'n8n-auth=told', 'n8n-auth=told']);
});

test('a refusal says what was asked, and what came back', async () => {
	const ask = await sessionWith(() => [404, 'gone']);
	await expect(ask('GET', '/workflows/1')).rejects.toMatchObject({
		status: 404,
		message: 'GET /workflows/1: 404 {"data":"gone"}',
	});
});
