import { parseAnswer, statusFailure } from './answer';
import type { Connect } from './client';
import { openDoor, type HttpAnswer, type HttpRequest } from './http';
import { operationOf } from './operation';
import { transportOptions } from './options';
import { Pace } from './pace';

/** A request to an HTTP API: a GET, or a POST when it has a body. */
export interface RestRequest {
	readonly path: string;
	readonly query?: HttpRequest['query'];
	readonly body?: HttpRequest['body'];
}

export const rest = operationOf<RestRequest>();

/** Requests one by one, several at a time. */
export function restClient(credentialType: string): Connect<RestRequest> {
	return async (context, halt) => {
		const options = transportOptions(context, 'rest');
		const door = await openDoor(context, credentialType);
		const pace = new Pace(options, halt);
		return {
			width: options.concurrency * 2,
			strike: door.strike,
			send: async ({ path, query, body }, { once }) => {
				const method = body === undefined ? 'GET' : 'POST';
				const request = { method, path, query, body, timeout: options.timeout } as const;
				return await pace.call(async () => answerOf(request, await door.send(request)), once);
			},
		};
	};
}

function answerOf(request: HttpRequest, answer: HttpAnswer): unknown {
	if (answer.status >= 200 && answer.status < 300) return parseAnswer(request, answer);
	throw statusFailure(request, answer);
}
