import { isRefusal, RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { statusFailure } from '../../../nodes/core/responses/response';
import { rpcFailure } from '../../../nodes/core/responses/rpcErrors';
import { answer } from '../support/fakes.mts';

const request = { method: 'POST', path: '/', timeout: 1000 } as const;

test.each([
	['an error of the node', rpcFailure('eth_call', { code: -32601, message: 'unknown method' })],
	['a revert', rpcFailure('eth_call', { code: 3, message: 'execution reverted' })],
	['a failure without details', new RequestFailure('no')],
])('%s is a refusal', (_, failure) => {
	expect(isRefusal(failure)).toBe(true);
});

test.each([
	['a limit', rpcFailure('eth_call', { code: -32005, message: 'rate limit' })],
	['a lost connection', new RequestFailure('lost', { retry: { because: 'lost' } })],
	['an HTTP status', statusFailure(request, answer(400, '{"error":"no such path"}'))],
	['an outage', statusFailure(request, answer(503, ''))],
	['another error', new Error('no')],
	['what is no error', 'no'],
	['nothing', undefined],
])('%s is none', (_, failure) => {
	expect(isRefusal(failure)).toBe(false);
});
