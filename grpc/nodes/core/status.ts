import { isQuota, isRecord, RequestFailure } from '../../../nodes/core';
import type { Problem } from '../../library/problem.mts';
import { connectionFailure, CHECK_TOKEN } from './broken';

type Status = Extract<Problem, { kind: 'status' }>;

interface Meaning {
	readonly name: string;
	/** Told where the service has no words of its own. */
	readonly phrase: string;
	readonly advice?: string;
	/** The call may have been carried out all the same. */
	readonly unsure?: boolean;
	/** The call was turned away because there were too many. */
	readonly isLimit?: boolean;
}

const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const CHECK_REQUEST = 'Check the fields of the request.';

const MEANINGS: Readonly<Record<number, Meaning>> = {
	1: { name: 'CANCELLED', phrase: 'The service canceled the call', unsure: true },
	2: { name: 'UNKNOWN', phrase: 'The service failed and does not say why', unsure: true },
	3: {
		name: 'INVALID_ARGUMENT',
		phrase: 'The service does not accept the request',
		advice: CHECK_REQUEST,
	},
	[DEADLINE_EXCEEDED]: {
		name: 'DEADLINE_EXCEEDED',
		phrase: 'The service did not answer in time',
		unsure: true,
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
	13: { name: 'INTERNAL', phrase: 'The service failed', unsure: true },
	14: {
		name: 'UNAVAILABLE',
		phrase: 'The service is not available',
		advice: 'Try again later.',
		unsure: true,
	},
	15: { name: 'DATA_LOSS', phrase: 'The service lost data', unsure: true },
	[UNAUTHENTICATED]: {
		name: 'UNAUTHENTICATED',
		phrase: 'The service refused the x-token',
		advice: CHECK_TOKEN,
	},
};

/** What a status means, in the service's own words first. */
export function statusFailure(status: Status): RequestFailure {
	const { code, words, path, arrived, after, details, trailers, roots } = status;
	const meaning = MEANINGS[code] ?? {
		name: 'A status',
		phrase: 'The service failed',
		unsure: true,
	};
	const broken = status.byService ? undefined : connectionFailure(words, roots);
	const { message, advice, unsure, isLimit } = broken ?? {
		...meaning,
		message: ownWords(words) || meaning.phrase,
	};
	const messages = arrived === 1 ? 'message' : 'messages';
	const begun = arrived > 0 ? `, after ${arrived} ${messages} had arrived` : '';
	const told = [
		`${path} ended with ${meaning.name} (${code})${begun}.`,
		details && `${shortened(details)}.`,
		advice,
	];
	return new RequestFailure(message, {
		description: told.filter(Boolean).join(' '),
		maybeExecuted: unsure && status.sent,
		retry: isLimit && arrived === 0 && passes(words) ? { because: 'limit', after } : undefined,
		answer: { code, trailers: trailers && shortened(trailers) },
	});
}

/** What the libraries of services say by themselves says less than the meaning of the status. */
function ownWords(words: string): string {
	return /^(context )?deadline exceeded\.?$/i.test(words.trim()) ? '' : words.trim();
}

const MOST_CHARACTERS = 1000;

/** Only here, where no secret is left of which a part might stay. */
function shortened(words: string): string {
	return words.length > MOST_CHARACTERS ? `${words.slice(0, MOST_CHARACTERS)}…` : words;
}

/** A limit that is worth waiting for: neither a quota nor one for the size of a message. */
function passes(words: string): boolean {
	return !isQuota(words) && !/larger than|too large|message size/i.test(words);
}

export function isRefusedToken(failure: RequestFailure): boolean {
	return [PERMISSION_DENIED, UNAUTHENTICATED].includes(codeOf(failure));
}

export function isTooLate(failure: RequestFailure): boolean {
	return codeOf(failure) === DEADLINE_EXCEEDED;
}

function codeOf({ answer }: RequestFailure): number {
	return isRecord(answer) ? Number(answer.code) : NaN;
}

/** The trailers that came with a failure, for those who want to see them. */
export function trailersOf({ answer }: RequestFailure): string | undefined {
	const trailers = isRecord(answer) ? answer.trailers : undefined;
	return typeof trailers === 'string' ? `Trailers: ${trailers}.` : undefined;
}
