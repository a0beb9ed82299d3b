import { Halted, RequestFailure } from '../../../nodes/core/failure';
import { Refusal } from '../../../nodes/core/refusal';
import type { Problem } from '../../library/problem.mts';
import { statusFailure } from './status';

type Strike = (text: string) => string;

/** What went wrong, for the user. The library's bundle shares no classes with this one, so it tells data. */
export function failureOf(error: unknown, strike: Strike): Error {
	if (error instanceof Halted) return error;
	const thrown = error as Partial<Error & { problem: Problem }>;
	const problem = thrown.problem && struck(thrown.problem, strike);
	switch (problem?.kind) {
		case 'status':
			return statusFailure(problem);
		case 'refused':
			return new Refusal(problem.message, problem.description);
		case 'garbled':
			return new RequestFailure(problem.message, { ...problem, unsure: problem.sent });
		case 'noReflection':
			return new RequestFailure('The service offers no reflection, so its methods are not known', {
				description:
					'Check the Endpoint in the credential, or ask whether reflection can be switched on.',
			});
		default:
			return new RequestFailure(strike(thrown.message ?? String(error)), { unsure: true });
	}
}

/** What the service told, its names too, without what must not be told. */
function struck(problem: Problem, strike: Strike): Problem {
	const clean = Object.entries(problem).map(([key, value]: [string, unknown]) => [
		key,
		typeof value === 'string' && key !== 'kind' ? strike(value) : value,
	]);
	return Object.fromEntries(clean) as Problem;
}
