import { InvalidInput } from '../../../credentials/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import type { HttpRequest } from './types';

/** No connection was made: a retry is always safe. */
const NEVER_SENT: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The service refused the connection',
	ENOTFOUND: 'The host of the service was not found',
	EAI_AGAIN: 'The host of the service could not be looked up',
	EHOSTUNREACH: 'The host of the service cannot be reached',
	ENETUNREACH: 'The network of the service cannot be reached',
};

const TIMEOUT_ADVICE = "The option 'Timeout' sets how long to wait.";
const TIMED_OUT = ['ECONNABORTED', 'ETIMEDOUT'];

/** Why no response came, without naming host or secret. */
export function networkFailure(
	thrown: unknown,
	request: HttpRequest,
	adviceWhenLate = TIMEOUT_ADVICE,
): Error {
	const causes = causesOf(thrown);
	const invalid = causes.find((cause) => cause instanceof InvalidInput);
	if (invalid) return invalid;
	const code = codeIn(causes);
	const neverSent = NEVER_SENT[code];
	if (neverSent) {
		return new RequestFailure(neverSent, {
			description: `${code}. Check the address in the credential, and that the service is up.`,
			retry: { because: 'lost' },
		});
	}
	if (TIMED_OUT.includes(code)) return timedOut(request, adviceWhenLate);
	if (/CERT|SIGNATURE|^EPROTO$|^ERR_(SSL|TLS)/.test(code)) {
		return new RequestFailure('The service could not prove its identity (TLS)', {
			description: `${code}. Check the address in the credential.`,
		});
	}
	return code ? lost(code, request) : unknown(causes.at(-1));
}

export function timedOut(request: HttpRequest, advice = TIMEOUT_ADVICE): RequestFailure {
	return new RequestFailure(`The service did not answer within ${request.timeout / 1000} s`, {
		description: `${requestLine(request)}. ${advice}`,
		retry: { because: 'lost' },
		maybeExecuted: true,
	});
}

function lost(code: string, request: HttpRequest): RequestFailure {
	return new RequestFailure('The connection to the service was lost before it answered', {
		description: `${requestLine(request)}, ${code}.`,
		retry: { because: 'lost' },
		maybeExecuted: true,
	});
}

/** Such as n8n's own protection against SSRF. */
function unknown(cause: unknown): RequestFailure {
	return new RequestFailure(cause instanceof Error ? cause.message : String(cause), {
		maybeExecuted: true,
	});
}

/** `GET /v1/projects/`. The path holds neither host nor token; the query is left out. */
export function requestLine({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
	return `${method} ${path.split('?')[0] || '/'}`;
}

/** Such as ENOTFOUND; empty where there is none. */
export function codeIn(causes: readonly unknown[]): string {
	return causes.map(codeOf).find((found) => found !== '') ?? '';
}

/** n8n wraps axios' error, which may wrap one of the body's stream. */
export function causesOf(thrown: unknown): unknown[] {
	const causes: unknown[] = [];
	for (let cause = thrown; cause && causes.length < 5; cause = (cause as Error).cause) {
		causes.push(cause);
	}
	return causes;
}

function codeOf(cause: unknown): string {
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return typeof code === 'string' ? code : '';
}
