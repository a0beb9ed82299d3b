import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { FaultyTokens } from '../../../../nodes/core/evm/follow/faultyTokens';

const letters = (text: string) => [...text];
const lost = new RequestFailure('lost', { retry: { because: 'lost' } });

/** Creates a node that fails for the tokens in `bad`, and records its calls. */
function scene(bad: string) {
	const asked: string[] = [];
	const node = {
		asked,
		bad,
		failure: lost as Error,
		isThere: true,
		ask: async (tokens: readonly string[]) => {
			asked.push(tokens.join(''));
			if (tokens.some((one) => node.bad.includes(one))) throw node.failure;
			await Promise.resolve();
		},
	};
	const suspects = new FaultyTokens();
	const askAll = async (tokens: string) => {
		asked.length = 0;
		const isThere = async () => await Promise.resolve(node.isThere);
		await suspects.readAll(letters(tokens), { read: node.ask, isNodeThere: isThere });
		return [...asked];
	};
	return { node, askAll };
}

test('tokens are asked a few at a time', async () => {
	const { askAll } = scene('');
	expect(await askAll('abcdefgh')).toEqual(['abcde', 'fgh']);
	expect(await askAll('')).toEqual([]);
});

test('where the node still answers others, those that fail together are asked alone', async () => {
	const { askAll } = scene('b');
	expect(await askAll('abcdef')).toEqual(['abcde', 'a', 'b', 'c', 'd', 'e', 'f']);
});

test('after three that fail alone, no more are asked', async () => {
	const { askAll } = scene('abcdefgh');
	expect(await askAll('abcdefgh')).toEqual(['abcde', 'a', 'b', 'c']);
});

test('a node that is gone is a failure; then each is asked alone, and in the end left out', async () => {
	const { node, askAll } = scene('b');
	node.isThere = false;
	await expect(askAll('abc')).rejects.toBe(lost);
	expect(node.asked).toEqual(['abc']);
	await expect(askAll('abcd')).rejects.toBe(lost);
	expect(node.asked).toEqual(['d', 'a', 'b']);
	await expect(askAll('abc')).rejects.toBe(lost);
	expect(node.asked).toEqual(['a', 'b']);
	expect(await askAll('abc')).toEqual(['a', 'c']);
});

test.each<[string, Error]>([
	['a limit', new RequestFailure('slow down', { retry: { because: 'limit' } })],
	['a refusal of the node', new RequestFailure('Block gas limit exceeded')],
	['a mistake of ours', new Error('a bug')],
])('%s is no fault of a token', async (_what, failure) => {
	const { node, askAll } = scene('a');
	node.failure = failure;
	await expect(askAll('ab')).rejects.toBe(failure);
	node.bad = '';
	expect(await askAll('ab')).toEqual(['ab']);
});

test('an answer that is none may be the fault of a token', async () => {
	const { node, askAll } = scene('b');
	node.failure = new RequestFailure('cut off', { maybeExecuted: true });
	expect(await askAll('abc')).toEqual(['abc', 'a', 'b', 'c']);
});
