import { createHash } from 'crypto';
import { repeatedPageError } from '../errors/requestFailure';
import { pickFields } from './outputFields';
import type { AnyRequestOperation, AnyOperation, RunContext } from './operation';

/** Collects the results of an operation for one item, up to its limit. */
export async function collectResults<Request>(
	operation: AnyOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	context: RunContext<Request>,
): Promise<readonly unknown[]> {
	const wanted = typeof parameters.limit === 'number' ? parameters.limit : Infinity;
	// Nothing is awaited before: the items reserve in their own order.
	const place = 'reserve' in operation ? operation.reserve(parameters, context) : NOTHING_RESERVED;
	const results: unknown[] = [];
	try {
		const found =
			'run' in operation
				? operation.run(parameters, context, place)
				: fetchPages(operation, parameters, context, wanted);
		for await (const result of found) {
			results.push(result);
			if (results.length < wanted) continue;
			context.addHint(LIMIT_HINT);
			break;
		}
	} finally {
		place.release();
	}
	return pickFields(results, parameters, context.addHint);
}

/** No request is made beyond the limit, so it is unknown whether there are more results. */
const LIMIT_HINT = "The limit was reached, and there may be more. 'Return All' gives all.";

const NOTHING_RESERVED = { release: () => {} };

/** Fetches page after page. Pages whose requests are known travel side by side and are put in order. */
async function* fetchPages<Request>(
	operation: AnyRequestOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	{ call }: RunContext<Request>,
	wanted: number,
): AsyncGenerator<unknown> {
	const seen = new Set<string>();
	let missing = wanted;
	const plan = operation.plan ? operation.plan(parameters) : parameters;
	let requests: readonly Request[] = [operation.request(plan)];
	while (requests.length > 0) {
		if (operation.next && !requests.every((request) => rememberIfNew(seen, request)))
			throw repeatedPageError();
		const bodies = await Promise.all(requests.map(async (request) => await call(request)));
		const answers = bodies.map((body) => operation.answer(body));
		for (const answer of answers) {
			const found = operation.items?.(answer, plan) ?? [answer];
			if (operation.next && found.length > 0 && !rememberIfNew(seen, answer))
				throw repeatedPageError();
			yield* found;
			missing -= found.length;
		}
		const state = { request: requests.at(-1) as Request, missing };
		requests = missing > 0 ? (operation.next?.(answers.at(-1), state) ?? []) : [];
	}
}

/**
 * Remembers a request or an answer of a list; false if it was seen before. Without this check, a service that repeats a
 * page would keep the node in a loop.
 */
function rememberIfNew(seen: Set<string>, page: unknown): boolean {
	const before = seen.size;
	seen.add(createHash('sha256').update(JSON.stringify(page)).digest('base64'));
	return seen.size > before;
}
