import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type AutoLogin, openAutoLogin } from '../../demo/run/autoLogin.mts';
import { sendJson, startServer } from '../harness/server.mts';

const login = { email: 'demo@example.com', password: 'Demo-Owner-1' };
const closing: Array<() => unknown> = [];
afterEach(async () => await Promise.all(closing.splice(0).map((close) => close())));

/**
 * Opens the address that needs no login, in front of a fake n8n with the given answer. Returns the requests to the
 * fake n8n.
 */
async function openInFrontOf(answer: () => readonly [number, Record<string, string>]) {
	const asked: string[] = [];
	const n8n = await startServer(({ path, text, request: { method } }, response) => {
		asked.push(`${method} ${path} ${text}`);
		const [status, headers] = answer();
		sendJson(response, status, {}, headers);
	});
	const { url } = n8n;
	const stop = async () => await n8n.stop();
	const autoLogin = await openAutoLogin(url, login, '/workflow/first');
	closing.push(autoLogin.close, stop);
	return { autoLogin, url, asked, stop };
}

const opened = async ({ url }: AutoLogin, path = '/') =>
	await fetch(url + path, { redirect: 'manual' });
/** Sends a request with headers that `fetch` does not allow. Returns the answer. */
async function answerTo({ url }: AutoLogin, method: string, headers: OutgoingHttpHeaders) {
	const asking = request(url, { method, headers }).end();
	const [answer] = (await once(asking, 'response')) as [IncomingMessage];
	answer.resume();
	return answer;
}
const taken = () => [200, { 'set-cookie': 'n8n-auth=told; HttpOnly; SameSite=Lax' }] as const;

test('the first address logs the browser in, and leads to the page', async () => {
	const { autoLogin, url, asked } = await openInFrontOf(taken);
	expect(autoLogin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	const answer = await opened(autoLogin);
	expect([answer.status, answer.headers.get('location')]).toEqual([302, `${url}/workflow/first`]);
	expect(answer.headers.getSetCookie()).toEqual(['n8n-auth=told; HttpOnly; SameSite=Lax']);
	expect(answer.headers.get('cache-control')).toBe('no-store');
	const words = { emailOrLdapLoginId: login.email, password: login.password };
	expect(asked).toEqual([`POST /rest/login ${JSON.stringify(words)}`]);
});

test('each visit gets a session of its own, so that a log-out is no end', async () => {
	const { autoLogin, asked } = await openInFrontOf(taken);
	await opened(autoLogin);
	await opened(autoLogin);
	expect(asked).toHaveLength(2);
});

test('what else a browser asks for logs nobody in', async () => {
	const { autoLogin, asked } = await openInFrontOf(taken);
	expect((await opened(autoLogin, '/favicon.ico')).status).toBe(404);
	expect(asked).toEqual([]);
});

test.each([
	['by a name that a website made lead here', 'GET', { host: 'rebound.example.com:80' }],
	['by another name of this machine', 'GET', { host: 'localhost:80' }],
	['as an image of a website', 'GET', { 'sec-fetch-dest': 'image' }],
	['in a frame of a website', 'GET', { 'sec-fetch-dest': 'iframe' }],
	['by a script', 'GET', { 'sec-fetch-dest': 'empty' }],
	['by a form', 'POST', {}],
])('who comes %s is not logged in', async (_, method, headers) => {
	const { autoLogin, asked } = await openInFrontOf(taken);
	const answer = await answerTo(autoLogin, method, headers);
	expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([404, undefined]);
	expect(asked).toEqual([]);
});

test('a browser that opens the address is logged in', async () => {
	const { autoLogin } = await openInFrontOf(taken);
	const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
	expect((await answerTo(autoLogin, 'GET', headers)).statusCode).toBe(302);
});

test('where n8n does not take the login, its own form asks for another', async () => {
	const { autoLogin, url } = await openInFrontOf(() => [401, {}]);
	const answer = await opened(autoLogin);
	expect([answer.status, answer.headers.get('location')]).toEqual([302, `${url}/workflow/first`]);
	expect(answer.headers.getSetCookie()).toEqual([]);
});

test('where n8n is gone, the browser says so', async () => {
	const { autoLogin, url, stop } = await openInFrontOf(taken);
	await stop();
	expect((await opened(autoLogin)).headers.get('location')).toBe(`${url}/workflow/first`);
});
