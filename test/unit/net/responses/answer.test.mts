import {
	invalidResponseError,
	isQuota,
	parseResponse,
	recordParser,
	statusError,
} from '../../../../nodes/core/net/responses/response';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import type { HttpRequest } from '../../../../nodes/core/net/http/types';
import { buildResponse, catchThrown } from '../../support/fakes.mts';

const request: HttpRequest = { method: 'GET', path: '/v1/things/?page=2', timeout: 1000 };

const failure = (status: number, body: unknown = '', headers: Record<string, string> = {}) =>
	statusError(request, buildResponse(status, body, headers));

describe('a good answer', () => {
	test.each([
		['{"a":1}', { a: 1 }],
		[' [] ', []],
		['null', null],
		['0', 0],
		['{"amountSent":100000000000000000000}', { amountSent: '100000000000000000000' }],
	])('is its JSON: %s', (text, body) => {
		expect(parseResponse(request, buildResponse(200, text))).toEqual(body);
	});

	test.each([
		['', 'GET /v1/things/ answered 200 with an empty body.'],
		['  ', 'GET /v1/things/ answered 200 with an empty body.'],
		['<html><title>Login</title></html>', 'GET /v1/things/ answered 200 with Login.'],
		['<html></html>', 'GET /v1/things/ answered 200 with text that is not complete JSON.'],
		['{"a":', 'GET /v1/things/ answered 200 with text that is not complete JSON.'],
	])('is none when it is %p', (text, description) => {
		const thrown = catchThrown(() => parseResponse(request, buildResponse(200, text)));
		expect(thrown).toBeInstanceOf(RequestFailure);
		expect(thrown).toMatchObject({ description, maybeExecuted: true });
	});
});

describe('a bad status', () => {
	test('is reported in the words of the service, with method, path and status', () => {
		expect(failure(400, { detail: 'Wrong.' })).toMatchObject({
			message: 'Wrong.',
			description: 'GET /v1/things/ answered 400.',
			httpCode: 400,
		});
	});

	test.each([
		[302, /redirects are not followed/, / Check the address in the credential\.$/],
		[401, /refused the credential/, / Check the secret in the credential\.$/],
		[403, /refused the credential/, / Check the secret in the credential\.$/],
		[404, /did not find what was asked for/, /answered 404\.$/],
		[413, /too large/, /answered 413\.$/],
		[418, /refused the request/, /answered 418\.$/],
		[429, /too many requests/, /answered 429\.$/],
		[500, /failed to handle/, /answered 500\.$/],
	])('%p without words is reported in ours', (status, message, description) => {
		for (const body of ['', '<html></html>', '{}']) {
			expect(failure(status, body).message).toMatch(message);
			expect(failure(status, body).description).toMatch(description);
		}
	});

	test.each([
		[429, {}, { because: 'limit', after: undefined }],
		[429, { 'retry-after': '3' }, { because: 'limit', after: 3000 }],
		[503, { 'retry-after': '3' }, { because: 'limit', after: 3000 }],
		[503, {}, { because: 'lost' }],
		[502, {}, { because: 'lost' }],
		[504, { 'retry-after': '3' }, { because: 'lost' }],
		[500, {}, undefined],
		[400, { 'retry-after': '3' }, undefined],
		[404, {}, undefined],
		[301, {}, undefined],
	])('%p with %p may be repeated so: %p', (status, headers, retry) => {
		expect(failure(status, 'No.', headers).retry).toEqual(retry);
	});

	test.each([
		[500, { error: 'failed to query: context deadline exceeded' }, { because: 'lost' }],
		[500, 'timeout: Context deadline exceeded\n', { because: 'lost' }],
		[400, { error: 'context deadline exceeded' }, undefined],
		[422, { error: 'context deadline exceeded' }, undefined],
		[500, { error: 'a deadline was exceeded' }, undefined],
	])('%p with the words %j may be repeated so: %p', (status, body, retry) => {
		expect(failure(status, body)).toMatchObject({ retry, maybeExecuted: status >= 500 });
	});

	test('that speaks of a monthly quota is not repeated', () => {
		const quota = { message: 'You have exceeded your monthly quota.' };
		expect(failure(429, quota, { 'retry-after': '3' }).retry).toBeUndefined();
		expect(failure(503, quota).retry).toBeUndefined();
		expect(isQuota('Too many requests')).toBe(false);
	});

	test('leaves open whether the request was carried out only from 500 on', () => {
		const maybeExecuted = [302, 400, 429, 499, 500, 502, 503].map(
			(status) => failure(status).maybeExecuted,
		);
		expect(maybeExecuted).toEqual([false, false, false, false, true, true, true]);
	});
});

describe('an answer that is not what was promised', () => {
	test('is refused and shown, shortened', () => {
		const thrown = catchThrown(() => {
			throw invalidResponseError('a list', { a: 'x'.repeat(500) });
		});
		expect(thrown).toMatchObject({
			message: 'The service did not answer with a list',
			maybeExecuted: true,
		});
		expect((thrown as RequestFailure).description?.length).toBeLessThan(150);
	});

	const thing = recordParser('a thing', 'id', 'name');

	test('is one without its keys', () => {
		const body = { id: 1, name: null, more: 2 };
		expect(thing(body)).toBe(body);
		for (const none of [{}, { id: 1 }, [], [body], null, 5, 'text', undefined]) {
			expect(() => thing(none)).toThrow('The service did not answer with a thing');
		}
	});
});
