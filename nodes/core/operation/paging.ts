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
		if (!requests.every((request) => isNew(seen, request))) repeatedPage();
		return {
			requests,
			next: (outcomes, { missing }) => {
				const answers = outcomes.map((one) => operation.answer(resultOf(one)) as never);
				const request = requests.at(-1) as Request;
				const things: unknown[] = [];
				for (const answer of answers) {
					const found = operation.items?.(answer, parameters as never) ?? [answer];
					if (operation.next && found.length > 0 && !isNew(seen, answer)) repeatedPage();
					found.forEach((thing) => things.push(thing));
				}
				const asked = { request, missing: missing - things.length };
				const further =
					asked.missing > 0 ? (operation.next?.(answers.at(-1) as never, asked) ?? []) : [];
				return { things, then: further.length > 0 ? page(further) : undefined };
			},
		};
	}

	return page([operation.request(parameters as never)]);
}

/** A list that asks for, or gives, a page that was there before would never end. */
function isNew(seen: Set<string>, page: unknown): boolean {
	const before = seen.size;
	seen.add(createHash('sha256').update(JSON.stringify(page)).digest('base64'));
	return seen.size > before;
}

export function repeatedPage(): never {
	throw new RequestFailure('The service returned the same page twice', {
		description: 'Reading stopped, because the list would never have ended.',
	});
}
