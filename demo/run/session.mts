export type Ask = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;

/** Asks an n8n, and shows it the cookie that it gave at the login. */
export function session(url: string) {
	let cookie = '';

	async function ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(`${url}/rest${path}`, {
			method,
			headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const given = answer.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (given) cookie = given.split(';')[0] ?? '';
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		return (JSON.parse(text) as { data: T }).data;
	}

	return { ask, cookie: () => cookie };
}
