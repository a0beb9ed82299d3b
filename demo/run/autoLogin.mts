import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Login } from './api.mts';
import { fetchFromN8n } from './session.mts';

const HOST = '127.0.0.1';

export interface AutoLogin {
	url: string;
	close: () => void;
}

/**
 * Opens an address that shows a page of n8n on this machine without a login.
 * It sets the session cookie of the demo's login. Browsers share cookies between the ports of a host.
 */
export async function openAutoLogin(n8n: string, login: Login, page: string): Promise<AutoLogin> {
	const server = createServer((request, response) => {
		if (!isVisit(request)) return void response.writeHead(404).end();
		void fetchCookies(n8n, login).then((given) =>
			redirectWithCookies(response, `${n8n}${page}`, given),
		);
	});
	// The server must not keep the process alive if the start fails.
	server.listen(0, HOST).unref();
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://${HOST}:${port}`, close: () => server.close() };
}

/**
 * Returns whether a person opens the address. A browser also requests the icon of the page.
 * Websites must not use the address. They could load it as an image, or through a host name of their own that leads to
 * this machine.
 */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
	const [name] = headers.host?.split(':') ?? [];
	const purpose = headers['sec-fetch-dest'] ?? 'document';
	return method === 'GET' && url === '/' && name === HOST && purpose === 'document';
}

/** Logs in and returns the cookies. If n8n refuses the login, there are none, and n8n shows its own login page. */
async function fetchCookies(n8n: string, { email, password }: Login): Promise<string[]> {
	try {
		const answer = await fetchFromN8n(`${n8n}/rest/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ emailOrLdapLoginId: email, password }),
		});
		return answer.headers.getSetCookie();
	} catch {
		return [];
	}
}

function redirectWithCookies(response: ServerResponse, location: string, cookie: string[]): void {
	const headers = { location, 'cache-control': 'no-store', 'set-cookie': cookie };
	response.writeHead(302, headers).end();
}
