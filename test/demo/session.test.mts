import type { Socket } from 'node:net';
import { type CallN8n, createSession } from '../../demo/run/session.mts';
import {
	type ReceivedRequest,
	sendJson,
	type TestServer,
	startServer,
} from '../harness/server.mts';

let n8n: TestServer | undefined;
afterEach(async () => await n8n?.stop());

/** Opens a session with a fake n8n, whose answers come from the given function. */
async function sessionWith(answer: (asked: ReceivedRequest) => readonly [number, unknown]) {
	n8n = await startServer((received, response) => {
		const [status, data] = answer(received);
		sendJson(response, status, { data }, { 'set-cookie': 'n8n-auth=told; HttpOnly' });
	});
	return createSession(n8n.url).ask;
}

/** Resets a connection that carried an earlier request. n8n may do this after it was busy for some seconds. */
function resetsWhatItKept({ request: { socket } }: ReceivedRequest) {
	const isKept = known.has(socket);
	known.add(socket);
	if (isKept) socket.resetAndDestroy();
	return [200, 'here'] as const;
}
const known = new WeakSet<Socket>();

async function threeTimes(ask: CallN8n) {
	return [await ask('GET', '/a'), await ask('POST', '/b', {}), await ask('GET', '/c')];
}

test('an n8n that resets the connections that it kept answers every time', async () => {
	const ask = await sessionWith(resetsWhatItKept);
	expect(await threeTimes(ask)).toEqual(['here', 'here', 'here']);
});

test('the cookie that it gave is shown to it', async () => {
	const ask = await sessionWith(({ request }) => [200, request.headers.cookie ?? 'none']);
	expect(await threeTimes(ask)).toEqual(['none', 'n8n-auth=told', 'n8n-auth=told']);
});

test('what it gets comes as JSON', async () => {
	const ask = await sessionWith(({ path, json, request }) => [
		200,
		[request.method, path, json, request.headers['content-type']],
	]);
	const workflow = { name: 'Größe' };
	expect(await ask('PATCH', '/workflows/1', workflow)).toEqual([
		'PATCH',
		'/rest/workflows/1',
		workflow,
		'application/json',
	]);
});

test('a refusal says what was asked, and what came back', async () => {
	const ask = await sessionWith(() => [404, 'gone']);
	await expect(ask('GET', '/workflows/1')).rejects.toMatchObject({
		status: 404,
		message: 'GET /rest/workflows/1: 404 {"data":"gone"}',
	});
});

test('an n8n that hangs up is reported with the request', async () => {
	const ask = await sessionWith(({ request }) => {
		request.socket.resetAndDestroy();
		return [200, ''];
	});
	const words = `POST ${n8n?.url}/rest/workflows: ECONNRESET`;
	await expect(ask('POST', '/workflows', {})).rejects.toThrow(words);
});
