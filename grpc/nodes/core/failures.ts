import {
	InvalidInput,
	isQuota,
	isRecord,
	RequestFailure,
	Stopped,
	withExecutionWarning,
} from '../../../nodes/core';
import type { Problem, ServiceProblem, StatusProblem } from '../../library/callError.mts';
import { CHECK_TOKEN, findConnectionFailure } from './connectionFailure';

/** Options for the text of an error. */
export interface ErrorOptions {
	redact(text: string): string;
	/** The advice after an exceeded deadline. */
	readonly timeoutAdvice?: string;
	readonly showTrailers?: boolean;
	/** Whether the error warns that the call may have been carried out. */
	readonly warnsIfExecuted?: boolean;
}

/** Converts an error of the library to an error for the user. */
export function callError(error: unknown, options: ErrorOptions): Error {
	if (error instanceof Stopped) return error;
	const failure = problemError(error, options);
	return options.warnsIfExecuted && failure instanceof RequestFailure
		? withExecutionWarning(failure)
		: failure;
}

/** Converts an error of the library. A CallError is recognized by its data, because the bundled library has its own copy of the class. */
function problemError(error: unknown, options: ErrorOptions): Error {
	const { redact } = options;
	const { problem, message = String(error) } = error as Partial<Error & { problem: Problem }>;
	if (!problem) return new RequestFailure(redact(message), { maybeExecuted: true });
	if (problem.kind !== 'invalidInput') return serviceError(problem, options);
	return new InvalidInput(
		redact(problem.message),
		problem.description && redact(problem.description),
	);
}

export function serviceError(problem: ServiceProblem, options: ErrorOptions): RequestFailure {
	const { redact } = options;
	switch (problem.kind) {
		case 'status':
			return statusError(problem, options);
		case 'invalidResponse':
			return new RequestFailure(redact(problem.message), {
				description: problem.description && redact(problem.description),
				maybeExecuted: problem.sent,
			});
		case 'noReflection':
			return new RequestFailure(
				'The service does not list its methods, because it offers no reflection',
				{
					description:
						"If you have its .proto files, choose them under 'Schema From'. Otherwise check the Endpoint in the credential.",
				},
			);
	}
}

interface StatusMeaning {
	readonly name: string;
	/** The message for the user if the service sends no text. */
	readonly phrase: string;
	readonly advice?: string;
	readonly maybeExecuted?: boolean;
	/** Whether the status means that there were too many calls. */
	readonly isLimit?: boolean;
}

const DEADLINE_EXCEEDED_CODE = 4;
const PERMISSION_DENIED_CODE = 7;
const UNAUTHENTICATED_CODE = 16;

const CHECK_REQUEST = 'Check the fields of the request.';

const STATUS_MEANINGS: Readonly<Record<number, StatusMeaning>> = {
	1: { name: 'CANCELLED', phrase: 'The service canceled the call', maybeExecuted: true },
	2: { name: 'UNKNOWN', phrase: 'The service failed and does not say why', maybeExecuted: true },
	3: {
		name: 'INVALID_ARGUMENT',
		phrase: 'The service does not accept the request',
		advice: CHECK_REQUEST,
	},
	[DEADLINE_EXCEEDED_CODE]: {
		name: 'DEADLINE_EXCEEDED',
		phrase: 'The service did not answer in time',
		maybeExecuted: true,
	},
	5: { name: 'NOT_FOUND', phrase: 'The service did not find what was asked for' },
	6: { name: 'ALREADY_EXISTS', phrase: 'The call was to create something that already exists' },
	[PERMISSION_DENIED_CODE]: {
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
	[UNAUTHENTICATED_CODE]: {
		name: 'UNAUTHENTICATED',
		phrase: 'The service refused the x-token',
		advice: CHECK_TOKEN,
	},
};

/** Builds the error for a status. Its message begins with the text that the service sent. */
function statusError(status: StatusProblem, options: ErrorOptions): RequestFailure {
	const { redact, timeoutAdvice, showTrailers } = options;
	const {
		code,
		fromServer,
		path,
		sent,
		received,
		retryAfterMs: retryAfter,
		rootsVariable,
	} = status;
	const meaning = STATUS_MEANINGS[code] ?? {
		name: 'A status',
		phrase: 'The service failed',
		maybeExecuted: true,
	};
	const words = redact(status.message);
	const unconnected = fromServer ? undefined : findConnectionFailure(words, rootsVariable);
	const { message, advice, maybeExecuted, isLimit } = unconnected ?? {
		...meaning,
		message: getOwnWords(words) || meaning.phrase,
	};
	const messages = received === 1 ? 'message' : 'messages';
	const begun = received > 0 ? `, after ${received} ${messages} had arrived` : '';
	const details = status.details && shortenDetails(redact(status.details));
	const trailers = showTrailers && status.trailers && shortenDetails(redact(status.trailers));
	const description = [
		`${redact(path)} ended with ${meaning.name} (${code})${begun}.`,
		details && `${details}.`,
		advice,
		code === DEADLINE_EXCEEDED_CODE && timeoutAdvice,
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

/** Returns the text of the service. The standard text for a deadline is left out, because the explanation of the status says more. */
function getOwnWords(words: string): string {
	return /^(context )?deadline exceeded\.?$/i.test(words.trim()) ? '' : words.trim();
}

const MAX_DETAIL_CHARS = 1000;

/** Shortens a text. Secrets must already be redacted, because a secret that is cut in two would not be found. */
function shortenDetails(words: string): string {
	return words.length > MAX_DETAIL_CHARS ? `${words.slice(0, MAX_DETAIL_CHARS)}…` : words;
}

/** Whether a limit is temporary. A quota or a limit on the size of a message is not. */
function isTemporary(words: string): boolean {
	return !isQuota(words) && !/larger than|too large|message size/i.test(words);
}

export function isTokenRefused({ answer }: RequestFailure): boolean {
	const code = isRecord(answer) ? answer.code : undefined;
	return code === PERMISSION_DENIED_CODE || code === UNAUTHENTICATED_CODE;
}
