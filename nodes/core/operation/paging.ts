import { createHash } from 'crypto';
import { RequestFailure } from '../errors/requestFailure';
import type { AnyOperation } from './operation';

type Send<Request> = (request: Request) => Promise<unknown>;

/**
 * Everything that an operation yields for one item: the things on its first page, and on further ones as
 * long as more are wanted. Pages whose requests are known travel side by side and are put in order.
 */
export async function collect<Request>(
	operation: AnyOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	send: Send<Request>,
): Promise<unknown[]> {
	const wanted = typeof parameters.limit === 'number' ? parameters.limit : Infinity;
	const things: unknown[] = [];
	const seen = new Set<string>();
	let requests: readonly Request[] = [operation.request(parameters as never)];
	while (requests.length > 0) {
		requests.forEach((request) => mark(seen, request));
		const answers = await Promise.all(
			requests.map(async (request) => operation.answer(await send(request)) as never),
		);
		for (const answer of answers) {
			const found = operation.items?.(answer, parameters as never) ?? [answer];
			if (operation.next && found.length > 0) mark(seen, answer);
			found.forEach((thing) => things.push(thing));
		}
		const [request, answer] = [requests.at(-1) as Request, answers.at(-1) as never];
		const missing = wanted - things.length;
		requests = (missing > 0 && operation.next?.(answer, { request, missing })) || [];
	}
	return things.slice(0, wanted);
}

/** A list that asks for, or gives, a page that was there before leads in a circle and would never end. */
function mark(seen: Set<string>, page: unknown): void {
	const key = createHash('sha256').update(JSON.stringify(page)).digest('base64');
	if (seen.has(key)) {
		throw new RequestFailure('The pages of the list lead in a circle', {
			description: 'The service gave the same page, or a link to it, a second time.',
		});
	}
	seen.add(key);
}
