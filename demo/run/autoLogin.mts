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
 * An address that shows a page of n8n to anyone who opens it on this machine, without a login. It gives the browser the
 * cookie that n8n returns for the demo's own login; a browser keeps cookies by host, whatever the port.
 */
export async function openAutoLogin(n8n: string, login: Login, page: string): Promise<AutoLogin> {
	const server = createServer((request, response) => {
		if (!isVisit(request)) return void response.writeHead(404).end();
		void fetchCookies(n8n, login).then((given) =>
			redirectWithCookies(response, `${n8n}${page}`, given),
		);
	});
	// A start that fails must not wait for the server.
	server.listen(0, HOST).unref();
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://${HOST}:${port}`, close: () => server.close() };
}

/**
 * Whether a person opens the address. A browser also requests the icon; a website may make it fetch the address as an
 * image, or by a name of the website's own that leads here, whose scripts would then have the session.
 */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
	const [name] = headers.host?.split(':') ?? [];
	const purpose = headers['sec-fetch-dest'] ?? 'document';
	return method === 'GET' && url === '/' && name === HOST && purpose === 'document';
}

/** Returns no cookies where n8n refuses the login: it then shows its own. */
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
