export type Ask = <T = unknown>(method: string, path: string, body?: object) => Promise<T>;

/** What an n8n answers when it does not do what it is asked. */
export class Refusal extends Error {
	readonly status: number;

	constructor(status: number, words: string) {
		super(words);
		this.status = status;
	}
}

/**
 * A connection for each request, in whatever asks an n8n: all of a process share those that are kept. n8n closes one on
 * which it has heard nothing for some seconds; if it was busy for so long, it looks at its clock before it reads, and
 * resets what came meanwhile.
 */
export const NOT_KEPT = { connection: 'close' };

/** Asks an n8n, and shows it the cookie that it gave at the login. */
export function session(url: string) {
	let cookie = '';

	async function ask<T = unknown>(method: string, path: string, body?: object): Promise<T> {
		const answer = await fetch(`${url}/rest${path}`, {
			method,
			headers: { cookie, ...NOT_KEPT, ...(body && { 'content-type': 'application/json' }) },
			body: body && JSON.stringify(body),
		});
		const given = answer.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (given) cookie = given.split(';')[0] ?? '';
		const text = await answer.text();
		if (!answer.ok) {
			const words = `${method} ${path}: ${answer.status} ${text.slice(0, 500)}`;
			throw new Refusal(answer.status, words);
		}
		return (JSON.parse(text) as { data: T }).data;
	}

	return { ask, cookie: () => cookie };
}
