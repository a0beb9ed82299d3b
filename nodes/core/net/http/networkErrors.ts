import { InvalidInput } from '../../errors/invalidInput';
import { RequestFailure } from '../../errors/requestFailure';
import type { HttpRequest } from './types';

/** Messages for errors that occur before a connection exists. Nothing was sent then, so a retry is always safe. */
const NEVER_SENT_MESSAGES: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The service refused the connection',
	ENOTFOUND: 'The host of the service was not found',
	EAI_AGAIN: 'The host of the service could not be looked up',
	EHOSTUNREACH: 'The host of the service cannot be reached',
	ENETUNREACH: 'The network of the service cannot be reached',
};

const TIMEOUT_ADVICE =
	"'Timeout' sets how long to wait: in the options, or in the limits of the credential.";
const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT'];

/** Explains why no response came. The text contains neither the host nor a secret. */
export function networkError(
	thrown: unknown,
	request: HttpRequest,
	adviceWhenLate = TIMEOUT_ADVICE,
): Error {
	const causes = getCauses(thrown);
	const invalid = causes.find((cause) => cause instanceof InvalidInput);
	if (invalid) return invalid;
	const code = findErrorCode(causes);
	const neverSent = NEVER_SENT_MESSAGES[code];
	if (neverSent) {
		return new RequestFailure(neverSent, {
			description: `${code}. Check the address in the credential, and that the service is up.`,
			retry: { because: 'lost' },
		});
	}
	if (TIMEOUT_CODES.includes(code)) return timeoutError(request, adviceWhenLate);
	if (/CERT|SIGNATURE|^EPROTO$|^ERR_(SSL|TLS)/.test(code)) {
		return new RequestFailure('The service could not prove its identity (TLS)', {
			description: `${code}. Check the address in the credential.`,
		});
	}
	return code ? connectionLostError(code, request) : unknownNetworkError(causes.at(-1));
}

export function timeoutError(request: HttpRequest, advice = TIMEOUT_ADVICE): RequestFailure {
	return new RequestFailure(`The service did not answer within ${request.timeout / 1000} s`, {
		description: `${formatRequestLine(request)}. ${advice}`,
		retry: { because: 'lost' },
		maybeExecuted: true,
	});
}

function connectionLostError(code: string, request: HttpRequest): RequestFailure {
	return new RequestFailure('The connection to the service was lost before it answered', {
		description: `${formatRequestLine(request)}, ${code}.`,
		retry: { because: 'lost' },
		maybeExecuted: true,
	});
}

/** Converts errors without a known code, such as those of n8n's own protection against SSRF. */
function unknownNetworkError(cause: unknown): RequestFailure {
	return new RequestFailure(cause instanceof Error ? cause.message : String(cause), {
		maybeExecuted: true,
	});
}

/** Formats a request as in `GET /v1/projects/`. The query is left out; the path contains neither host nor token. */
export function formatRequestLine({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
	return `${method} ${path.split('?')[0] || '/'}`;
}

/** Finds an error code such as ENOTFOUND; empty if there is none. */
export function findErrorCode(causes: readonly unknown[]): string {
	return causes.map(getErrorCode).find((found) => found !== '') ?? '';
}

/** Lists an error and its causes. n8n wraps the error of axios, which may itself wrap an error of the body's stream. */
export function getCauses(thrown: unknown): unknown[] {
	const causes: unknown[] = [];
	for (let cause = thrown; cause && causes.length < 5; cause = (cause as Error).cause) {
		causes.push(cause);
	}
	return causes;
}

function getErrorCode(cause: unknown): string {
	const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
	return typeof code === 'string' ? code : '';
}
