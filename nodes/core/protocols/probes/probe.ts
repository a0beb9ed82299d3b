import type { HttpRequest } from '../../http/types';

/** Asks the service something more; undefined where it gives no JSON. */
export type AskMore = (request: HttpRequest) => Promise<unknown>;

/** One way to see whether a credential works: what is asked, and what is understood from the answer. */
export interface Probe {
	readonly request: HttpRequest;
	/** Whether this is how the API answers, be it with an error of its own. */
	isAnswer(body: unknown, status: number): boolean;
	/** Whether it refuses the secret, with a status that does not say so. */
	isRefusal?(body: unknown): boolean;
	/** What answered, for people. It may ask for more, and does without where nothing comes of it. */
	understood(body: unknown, ask: AskMore): string | Promise<string>;
}

const TIMEOUT = 10_000;

export function get(path: string): HttpRequest {
	return { method: 'GET', path, timeout: TIMEOUT };
}

export function post(path: string, body: object): HttpRequest {
	return { method: 'POST', path, body, timeout: TIMEOUT };
}
