import { RequestFailure } from './failure';
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
	const asked = new Set<string>();
	let requests: readonly Request[] = [operation.request(parameters as never)];
	while (requests.length > 0) {
		requests.forEach((request) => markAsked(asked, request));
		const answers = await Promise.all(
			requests.map(async (request) => operation.answer(await send(request)) as never),
		);
		for (const answer of answers) {
			const found = operation.items?.(answer, parameters as never) ?? [answer];
			found.forEach((thing) => things.push(thing));
		}
		const [request, answer] = [requests.at(-1) as Request, answers.at(-1) as never];
		const missing = wanted - things.length;
		requests = (missing > 0 && operation.next?.(answer, { request, missing })) || [];
	}
	return things.slice(0, wanted);
}

/** A list whose pages lead back to where it has been would never end. */
function markAsked(asked: Set<string>, request: unknown): void {
	const key = JSON.stringify(request);
	if (asked.has(key)) {
		throw new RequestFailure('The pages of the list lead in a circle', {
			description: `The service named a page as the next one that it had given before: ${key}`,
		});
	}
	asked.add(key);
}
