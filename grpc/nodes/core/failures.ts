import { InvalidInput, RequestFailure, Stopped } from '../../../nodes/core';
import type { Problem, ServiceProblem } from '../../library/problem.mts';
import { statusFailure } from './status';

type Redact = (text: string) => string;

/** What went wrong, for the user. The library's bundle shares no classes with this one, so it tells data. */
export function failureOf(error: unknown, redact: Redact): Error {
	if (error instanceof Stopped) return error;
	const { problem, message } = error as Partial<Error & { problem: Problem }>;
	if (!problem)
		return new RequestFailure(redact(message ?? String(error)), { maybeExecuted: true });
	if (problem.kind !== 'refused') return serviceFailure(problem, redact);
	return new InvalidInput(
		redact(problem.message),
		problem.description && redact(problem.description),
	);
}

/** What the service did wrong, or what became of the connection to it. */
export function serviceFailure(problem: ServiceProblem, redact: Redact): RequestFailure {
	const clean = redacted(problem, redact);
	switch (clean.kind) {
		case 'status':
			return statusFailure(clean);
		case 'garbled':
			return new RequestFailure(clean.message, { ...clean, maybeExecuted: clean.sent });
		case 'noReflection':
			return new RequestFailure('The service offers no reflection, so its methods are not known', {
				description:
					"If you have its .proto files, choose them under 'Schema From'. Otherwise check the Endpoint in the credential.",
			});
	}
}

/** What the service told, its names too, without what must not be told. */
function redacted<P extends Problem>(problem: P, redact: Redact): P {
	const clean = Object.entries(problem).map(([key, value]: [string, unknown]) => [
		key,
		typeof value === 'string' && key !== 'kind' ? redact(value) : value,
	]);
	return Object.fromEntries(clean) as P;
}
