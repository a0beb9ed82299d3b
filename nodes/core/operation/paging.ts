import { createHash } from 'crypto';
import { RequestFailure } from '../errors/requestFailure';
import type { AnyByRequest } from './operation';
import { resultOf, type Step } from './step';

/**
 * The steps of an operation that makes one request, or asks for page after page of the same kind. Pages whose
 * requests are known travel side by side and are put in order.
 */
export function pages<Request>(
	operation: AnyByRequest<Request>,
	parameters: Readonly<Record<string, unknown>>,
): Step<Request> {
	const seen = new Set<string>();

	function page(requests: readonly Request[]): Step<Request> {
		requests.forEach((request) => mark(seen, request));
		return {
			requests,
			next: (outcomes, { missing }) => {
				const answers = outcomes.map((one) => operation.answer(resultOf(one)) as never);
				const things = answers.flatMap((answer) => {
					const found = operation.items?.(answer, parameters as never) ?? [answer];
					if (operation.next && found.length > 0) mark(seen, answer);
					return found;
				});
				const asked = { request: requests.at(-1) as Request, missing: missing - things.length };
				const further =
					asked.missing > 0 ? (operation.next?.(answers.at(-1) as never, asked) ?? []) : [];
				return { things, then: further.length > 0 ? page(further) : undefined };
			},
		};
	}

	return page([operation.request(parameters as never)]);
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
