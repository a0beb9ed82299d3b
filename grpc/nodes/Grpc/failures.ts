import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { Stopped } from '../../../nodes/core/errors/stopped';
import { Refusal } from '../../../credentials/refusal';
import type { Problem } from '../../library/problem.mts';
import { statusFailure } from './status';

type Redact = (text: string) => string;

/** What went wrong, for the user. The library's bundle shares no classes with this one, so it tells data. */
export function failureOf(error: unknown, redact: Redact): Error {
	if (error instanceof Stopped) return error;
	const thrown = error as Partial<Error & { problem: Problem }>;
	const problem = thrown.problem && struck(thrown.problem, redact);
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
			return new RequestFailure(redact(thrown.message ?? String(error)), { unsure: true });
	}
}

/** What the service told, its names too, without what must not be told. */
function struck(problem: Problem, redact: Redact): Problem {
	const clean = Object.entries(problem).map(([key, value]: [string, unknown]) => [
		key,
		typeof value === 'string' && key !== 'kind' ? redact(value) : value,
	]);
	return Object.fromEntries(clean) as Problem;
}
