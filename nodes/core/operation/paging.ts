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
		if (!requests.every((request) => isNew(seen, request))) repeatedPage();
		const answers = await Promise.all(
			requests.map(async (request) => operation.answer(await send(request)) as never),
		);
		const [request, answer] = [requests.at(-1) as Request, answers.at(-1) as never];
		for (const page of answers) {
			const found = operation.items?.(page, parameters as never) ?? [page];
			if (operation.next && found.length > 0 && !isNew(seen, page)) {
				if (operation.endsOnRepeat?.(page, request)) return things.slice(0, wanted);
				repeatedPage();
			}
			found.forEach((thing) => things.push(thing));
		}
		const missing = wanted - things.length;
		requests = (missing > 0 && operation.next?.(answer, { request, missing })) || [];
	}
	return things.slice(0, wanted);
}

/** A list that asks for, or gives, a page that was there before would never end. */
function isNew(seen: Set<string>, page: unknown): boolean {
	const before = seen.size;
	seen.add(createHash('sha256').update(JSON.stringify(page)).digest('base64'));
	return seen.size > before;
}

export function repeatedPage(): never {
	throw new RequestFailure('The pages of the list lead in a circle', {
		description: 'The service gave the same page, or a link to it, a second time.',
	});
}
