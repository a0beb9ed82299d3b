import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { InvalidInput } from '../../../../nodes/core/errors/invalidInput';
import { formatRequestLine, networkError } from '../../../../nodes/core/net/http/networkErrors';

const request = { method: 'POST', path: '/evm?key=SECRET', timeout: 300 } as const;

/** Creates the error of an HTTP client. Its message contains the URL, and so the secret token. */
function clientError(code: string): Error {
	return Object.assign(new Error(`connect ${code} https://example.com/SECRET`), { code });
}

const wrapped = (cause: Error) => Object.assign(new Error('Request failed'), { cause });

describe('a request without an answer', () => {
	test.each([
		['ECONNREFUSED', 'The service refused the connection', 'lost', false],
		['ENOTFOUND', 'The host of the service was not found', 'lost', false],
		['EAI_AGAIN', 'The host of the service could not be looked up', 'lost', false],
		['ETIMEDOUT', 'The service did not answer within 0.3 s', 'lost', true],
		['ECONNABORTED', 'The service did not answer within 0.3 s', 'lost', true],
		['ECONNRESET', 'The connection to the service was lost before it answered', 'lost', true],
		['EPIPE', 'The connection to the service was lost before it answered', 'lost', true],
		['CERT_HAS_EXPIRED', 'The service could not prove its identity (TLS)', undefined, false],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'The service could not prove its identity (TLS)',
			undefined,
			false,
		],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'The service could not prove its identity (TLS)',
			undefined,
			false,
		],
	])(
		'is reported in words that hold neither host nor secret: %s',
		(code, message, because, maybeExecuted) => {
			for (const thrown of [clientError(code), wrapped(clientError(code))]) {
				const failure = networkError(thrown, request);
				expect(failure).toBeInstanceOf(RequestFailure);
				expect(failure).toMatchObject({ message, maybeExecuted, retry: because && { because } });
				expect(JSON.stringify([failure.message, { ...failure }])).not.toMatch(
					/SECRET|example\.com/,
				);
				expect(failure.cause).toBeUndefined();
			}
		},
	);

	test('of another kind says what it says', () => {
		expect(networkError(new Error('Blocked by a rule'), request)).toMatchObject({
			message: 'Blocked by a rule',
			retry: undefined,
		});
		expect(networkError('thrown text', request).message).toBe('thrown text');
	});

	test('because the credential was refused is that refusal', () => {
		const refusal = new InvalidInput('The Node Address of the credential is empty');
		expect(networkError(refusal, request)).toBe(refusal);
		expect(networkError(wrapped(refusal), request)).toBe(refusal);
	});
});

describe('the place of a request', () => {
	test.each([
		['', 'POST /'],
		['/', 'POST /'],
		['/evm', 'POST /evm'],
		['/evm?key=SECRET', 'POST /evm'],
		['?key=SECRET', 'POST /'],
	])('with path "%s" is %s', (path, expected) => {
		expect(formatRequestLine({ method: 'POST', path })).toBe(expected);
	});
});
