import { createTokenReader, createTokenMemory } from '../../../nodes/core/chain/tokens';
import { createShared, sharedKey } from '../../../nodes/core/net/pacing/shared';

/**
 * These tests check the code that all kinds of chains share: it reads the facts of a token, such as its decimals, only
 * once.
 */

const MEMORY = sharedKey('test.tokens', createTokenMemory<string>);
const factsOf = (token: string) => ({ symbol: token.toUpperCase(), decimals: token.length });

/** Creates a run that reads the facts of tokens. Each read stays open until the test ends it. */
function open() {
	const asked: string[] = [];
	const settles: Array<(failure?: Error) => void> = [];
	const facts = createTokenReader(MEMORY, async (_reader, token: string) => {
		asked.push(token);
		await new Promise<void>((resolve, reject) =>
			settles.push((failure) => (failure ? reject(failure) : resolve())),
		);
		return factsOf(token);
	});
	const reader = { shared: createShared() };
	const read = async (...tokens: string[]) => await facts.read(reader, tokens);
	const settle = async (failure?: Error) => {
		for (const one of settles.splice(0)) one(failure);
		await new Promise((resolve) => setTimeout(resolve, 0));
	};
	return { asked, read, settle, facts, reader };
}

test('each is read once, also where items ask for it side by side', async () => {
	const { asked, read, settle } = open();
	const reading = [read('a', 'bb', 'a'), read('bb')];
	await settle();
	const [first, second] = await Promise.all(reading);
	expect([first?.('a'), second?.('bb')]).toEqual([factsOf('a'), factsOf('bb')]);
	expect((await read('a', 'bb'))('a')).toEqual(factsOf('a'));
	expect(asked).toEqual(['a', 'bb']);
});

test('nothing is known of a token that nobody asked for', async () => {
	const { asked, read } = open();
	expect((await read())('a')).toEqual({ symbol: null, decimals: null });
	expect(asked).toEqual([]);
});

test('one that could not be read is read again, and so is one that is forgotten', async () => {
	const { asked, read, settle, facts, reader } = open();
	const failing = [read('a'), read('a')].map(async (one) => await one.catch(() => 'failed'));
	await settle(new Error('gone'));
	expect(await Promise.all(failing)).toEqual(['failed', 'failed']);
	for (const count of [2, 3]) {
		const reading = read('a');
		await settle();
		expect((await reading)('a')).toEqual(factsOf('a'));
		expect(asked).toHaveLength(count);
		facts.getKnown(reader).delete('a');
	}
});

test('runs know nothing of each other', async () => {
	const { asked, read, settle, facts } = open();
	const reading = [read('a'), facts.read({ shared: createShared() }, ['a'])];
	await settle();
	await Promise.all(reading);
	expect(asked).toEqual(['a', 'a']);
});
