import { chainIdOf } from '../../../nodes/core/chain/blocks';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { chainAnswering } from '../support/chains.mts';

/** What tells a chain from others, where block 1 is answered so. */
const chainWith = async (failure: RequestFailure) =>
	await chainIdOf(
		chainAnswering((method) => {
			if (method === 'eth_chainId') return '0x1';
			throw failure;
		}),
	);

test.each([
	['by an error', new RequestFailure('no such block')],
	['by a status', new RequestFailure('pruned', { httpCode: 404, maybeExecuted: true })],
	['by a limit', new RequestFailure('archive only', { retry: { because: 'limit' } })],
])('a chain is known without its first block, where a node refuses that %s', async (_, failure) => {
	await expect(chainWith(failure)).resolves.toEqual({ id: '1', first: null });
});

test('an answer that was lost is no refusal', async () => {
	const lost = new RequestFailure('lost', { httpCode: 503, retry: { because: 'lost' } });
	await expect(chainWith(lost)).rejects.toBe(lost);
});
