import {
	isRefusal,
	RequestFailure,
	withExecutionWarning,
	withAdvice,
	withoutSecrets,
} from '../../../nodes/core/errors/requestFailure';
import { statusError } from '../../../nodes/core/net/responses/response';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { buildResponse } from '../support/fakes.mts';

const request = { method: 'POST', path: '/', timeout: 1000 } as const;

test.each([
	['an error of the node', rpcError('eth_call', { code: -32601, message: 'unknown method' })],
	['a revert', rpcError('eth_call', { code: 3, message: 'execution reverted' })],
	['a failure without details', new RequestFailure('no')],
])('%s is a refusal', (_, failure) => {
	expect(isRefusal(failure)).toBe(true);
});

test.each([
	['a limit', rpcError('eth_call', { code: -32005, message: 'rate limit' })],
	['a lost connection', new RequestFailure('lost', { retry: { because: 'lost' } })],
	['an HTTP status', statusError(request, buildResponse(400, '{"error":"no such path"}'))],
	['an outage', statusError(request, buildResponse(503, ''))],
	['another error', new Error('no')],
	['what is no error', 'no'],
	['nothing', undefined],
])('%s is none', (_, failure) => {
	expect(isRefusal(failure)).toBe(false);
});

describe('a failure', () => {
	const failure = new RequestFailure('Lost SECRET.', {
		description: 'GET /SECRET.',
		httpCode: 502,
		retry: { because: 'lost' },
		maybeExecuted: true,
	});

	test('loses its secrets and nothing else', () => {
		const struck = withoutSecrets(failure, (text) => text.replaceAll('SECRET', '***'));
		expect(struck).toMatchObject({ ...failure, description: 'GET /***.' });
		expect(struck.message).toBe('Lost ***.');
		expect(struck.stack).not.toContain('SECRET');
	});

	test('gets advice at the end of its description', () => {
		expect(withAdvice(failure, 'Look.').description).toBe('GET /SECRET. Look.');
		expect(withAdvice(new RequestFailure('No.'), 'Look.').description).toBe('Look.');
		expect(withAdvice(failure, undefined)).toBe(failure);
		expect(withAdvice(failure, 'Look.')).toMatchObject({ httpCode: 502, maybeExecuted: true });
	});

	test('advises to check only when the request may have been carried out', () => {
		expect(withExecutionWarning(failure).description).toMatch(/may still have been carried out/);
		const sure = new RequestFailure('No.');
		expect(withExecutionWarning(sure)).toBe(sure);
	});
});
