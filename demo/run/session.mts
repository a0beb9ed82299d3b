export type CallN8n = <T = unknown>(method: string, path: string, body?: object) => Promise<T>;

interface Request {
	method?: string;
	headers?: Record<string, string>;
	body?: string | FormData;
}

/** The error for a request that n8n refuses. */
export class N8nRefusal extends Error {
	readonly status: number;

	constructor(status: number, words: string) {
		super(words);
		this.status = status;
	}
}

/**
 * Fetches from n8n on a new connection instead of a shared one.
 * n8n closes a connection that was idle for some seconds. If n8n was busy for that long, it may reset the connection
 * although a request has arrived.
 */
export async function fetchFromN8n(url: string | URL, { headers, ...more }: Request = {}) {
	try {
		return await fetch(url, { ...more, headers: { ...headers, connection: 'close' } });
	} catch (error) {
		const { code, message } = ((error as Error).cause ?? error) as {
			code?: string;
			message: string;
		};
		throw new Error(`${more.method ?? 'GET'} ${url}: ${code ?? message}`, { cause: error });
	}
}

/** Creates a session, whose requests carry the login cookie. */
export function createSession(url: string) {
	let cookie = '';

	async function request<T>(method: string, path: string, body?: object): Promise<T> {
		const answer = await fetchFromN8n(url + path, {
			method,
			headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
			body: body && JSON.stringify(body),
		});
		const given = answer.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (given) cookie = given.split(';')[0] ?? '';
		const text = await answer.text();
		if (!answer.ok) {
			const words = `${method} ${path}: ${answer.status} ${text.slice(0, 500)}`;
			throw new N8nRefusal(answer.status, words);
		}
		return JSON.parse(text) as T;
	}

	const ask: CallN8n = async <T,>(method: string, path: string, body?: object) =>
		(await request<{ data: T }>(method, `/rest${path}`, body)).data;

	return { ask, request };
}
