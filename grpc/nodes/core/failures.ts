import {
	InvalidInput,
	isQuota,
	isRecord,
	RequestFailure,
	Stopped,
	warnedIfExecuted,
} from '../../../nodes/core';
import type { Problem, ServiceProblem, StatusProblem } from '../../library/callError.mts';
import { CHECK_TOKEN, connectionFailure } from './connectionFailure';

/** What the caller wants in the error, beside the problem itself. */
export interface FailureOptions {
	redact(text: string): string;
	/** Said when the deadline was exceeded. */
	readonly timeoutAdvice?: string;
	readonly showTrailers?: boolean;
	/** Whether to warn that the call may have been carried out. */
	readonly warn?: boolean;
}

/** The user's error, complete, for whatever the library throws. */
export function failureOf(error: unknown, options: FailureOptions): Error {
	if (error instanceof Stopped) return error;
	const failure = errorFor(error, options);
	return options.warn && failure instanceof RequestFailure ? warnedIfExecuted(failure) : failure;
}

/** A CallError is known by its data: the bundle of the library shares no classes with this one. */
function errorFor(error: unknown, options: FailureOptions): Error {
	const { redact } = options;
	const { problem, message = String(error) } = error as Partial<Error & { problem: Problem }>;
	if (!problem) return new RequestFailure(redact(message), { maybeExecuted: true });
	if (problem.kind !== 'invalidInput') return serviceFailure(problem, options);
	return new InvalidInput(
		redact(problem.message),
		problem.description && redact(problem.description),
	);
}

export function serviceFailure(problem: ServiceProblem, options: FailureOptions): RequestFailure {
	const { redact } = options;
	switch (problem.kind) {
		case 'status':
			return statusFailure(problem, options);
		case 'invalidResponse':
			return new RequestFailure(redact(problem.message), {
				description: problem.description && redact(problem.description),
				maybeExecuted: problem.sent,
			});
		case 'noReflection':
			return new RequestFailure('The service offers no reflection, so its methods are not known', {
				description:
					"If you have its .proto files, choose them under 'Schema From'. Otherwise check the Endpoint in the credential.",
			});
	}
}

interface Meaning {
	readonly name: string;
	/** Said where the service gives no message. */
	readonly phrase: string;
	readonly advice?: string;
	readonly maybeExecuted?: boolean;
	/** Whether it tells of too many calls. */
	readonly isLimit?: boolean;
}

const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const CHECK_REQUEST = 'Check the fields of the request.';

const MEANINGS: Readonly<Record<number, Meaning>> = {
	1: { name: 'CANCELLED', phrase: 'The service canceled the call', maybeExecuted: true },
	2: { name: 'UNKNOWN', phrase: 'The service failed and does not say why', maybeExecuted: true },
	3: {
		name: 'INVALID_ARGUMENT',
		phrase: 'The service does not accept the request',
		advice: CHECK_REQUEST,
	},
	[DEADLINE_EXCEEDED]: {
		name: 'DEADLINE_EXCEEDED',
		phrase: 'The service did not answer in time',
		maybeExecuted: true,
	},
	5: { name: 'NOT_FOUND', phrase: 'The service did not find what was asked for' },
	6: { name: 'ALREADY_EXISTS', phrase: 'What the call was to create already exists' },
	[PERMISSION_DENIED]: {
		name: 'PERMISSION_DENIED',
		phrase: 'The token does not permit this call',
		advice: CHECK_TOKEN,
	},
	8: {
		name: 'RESOURCE_EXHAUSTED',
		phrase: 'A limit of the service is reached',
		advice: 'Send fewer items, or send them later.',
		isLimit: true,
	},
	9: { name: 'FAILED_PRECONDITION', phrase: 'The service is not in the right state for this call' },
	10: { name: 'ABORTED', phrase: 'The service gave up the call' },
	11: { name: 'OUT_OF_RANGE', phrase: 'A value is out of range', advice: CHECK_REQUEST },
	12: {
		name: 'UNIMPLEMENTED',
		phrase: 'The endpoint does not serve this method',
		advice: 'The endpoint describes the method, but does not implement it.',
	},
	13: { name: 'INTERNAL', phrase: 'The service failed', maybeExecuted: true },
	14: {
		name: 'UNAVAILABLE',
		phrase: 'The service is not available',
		advice: 'Try again later.',
		maybeExecuted: true,
	},
	15: { name: 'DATA_LOSS', phrase: 'The service lost data', maybeExecuted: true },
	[UNAUTHENTICATED]: {
		name: 'UNAUTHENTICATED',
		phrase: 'The service refused the x-token',
		advice: CHECK_TOKEN,
	},
};

/** The service's own message comes first. */
function statusFailure(status: StatusProblem, options: FailureOptions): RequestFailure {
	const { redact, timeoutAdvice, showTrailers } = options;
	const { code, fromServer, path, sent, received, retryAfter, rootsVariable } = status;
	const meaning = MEANINGS[code] ?? {
		name: 'A status',
		phrase: 'The service failed',
		maybeExecuted: true,
	};
	const words = redact(status.message);
	const unconnected = fromServer ? undefined : connectionFailure(words, rootsVariable);
	const { message, advice, maybeExecuted, isLimit } = unconnected ?? {
		...meaning,
		message: ownWords(words) || meaning.phrase,
	};
	const messages = received === 1 ? 'message' : 'messages';
	const begun = received > 0 ? `, after ${received} ${messages} had arrived` : '';
	const details = status.details && shortened(redact(status.details));
	const trailers = showTrailers && status.trailers && shortened(redact(status.trailers));
	const description = [
		`${redact(path)} ended with ${meaning.name} (${code})${begun}.`,
		details && `${details}.`,
		advice,
		code === DEADLINE_EXCEEDED && timeoutAdvice,
		trailers && `Trailers: ${trailers}.`,
	];
	return new RequestFailure(message, {
		description: description.filter(Boolean).join(' '),
		maybeExecuted: maybeExecuted && sent,
		retry:
			isLimit && received === 0 && isTemporary(words)
				? { because: 'limit', after: retryAfter }
				: undefined,
		answer: { code },
	});
}

/** The message that gRPC libraries give a deadline says less than the meaning of the status. */
function ownWords(words: string): string {
	return /^(context )?deadline exceeded\.?$/i.test(words.trim()) ? '' : words.trim();
}

const MAX_CHARACTERS = 1000;

/** Only after redacting: a part of a secret would not be found. */
function shortened(words: string): string {
	return words.length > MAX_CHARACTERS ? `${words.slice(0, MAX_CHARACTERS)}…` : words;
}

/** Neither a quota nor a limit for the size of a message. */
function isTemporary(words: string): boolean {
	return !isQuota(words) && !/larger than|too large|message size/i.test(words);
}

export function isRefusedToken({ answer }: RequestFailure): boolean {
	const code = isRecord(answer) ? answer.code : undefined;
	return code === PERMISSION_DENIED || code === UNAUTHENTICATED;
}
