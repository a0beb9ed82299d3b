import { readChainIdentity } from '../../../nodes/core/evm/blocks';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createChain } from '../support/chains.mts';

/** Reads the identity of a chain whose node gives its chain ID, but fails for all else. */
const chainWith = async (failure: RequestFailure) =>
	await readChainIdentity(
		createChain((method) => {
			if (method === 'eth_chainId') return '0x1';
			throw failure;
		}),
	);

test.each([
	['by an error', new RequestFailure('no such block')],
	['by a status', new RequestFailure('pruned', { httpCode: 404, maybeExecuted: true })],
	['because it is pruned', new RequestFailure('pruned history unavailable')],
])('a chain is known without its first block, where a node refuses that %s', async (_, failure) => {
	await expect(chainWith(failure)).resolves.toEqual({ id: '1', first: null });
});

test.each([
	['an answer that was lost', { httpCode: 503, retry: { because: 'lost' } }, 'lost'],
	['a limit', { retry: { because: 'limit' } }, 'archive only'],
	['a limit by its status', { httpCode: 429 }, 'no'],
	['a limit by its words', {}, 'Too many requests'],
	['a quota', {}, "You've reached your monthly quota"],
] as const)('%s does not say that there is no such block', async (_, details, words) => {
	const failure = new RequestFailure(words, details);
	await expect(chainWith(failure)).rejects.toBe(failure);
});
