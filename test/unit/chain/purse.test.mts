import {
	insufficientFundsError,
	Purse,
	reservePlace,
	type Cost,
} from '../../../nodes/core/chain/purse';

/**
 * These tests check the code that all kinds of chains share: payments get their nonces in the order of the items, and
 * the account's balance must cover all items.
 */

const open = (next = 7n) => new Purse(Promise.resolve({ next }));

/** Creates a cost. The refusal says how much earlier items have spent, and how many they are. */
const cost = (amount: bigint, balance?: bigint, other: Partial<Cost> = {}): Cost => ({
	amount,
	balance,
	throwShort: ({ spent, count }) => {
		throw new Error(`${amount} after ${spent} by ${count}`);
	},
	...other,
});
const messageOf = async (taking: Promise<unknown>) =>
	await taking.then(
		() => undefined,
		(failure: Error) => failure.message,
	);

test('numbers are in the order of the places, whoever is ready first', async () => {
	const purse = open();
	const places = [purse.reserve(), purse.reserve(), purse.reserve()];
	const taking = places.toReversed().map(async ({ take }) => await take([cost(1n)]));
	const taken = await Promise.all(taking);
	expect(taken.map(({ number }) => number)).toEqual([9n, 8n, 7n]);
});

test('a place that is given up leaves its number to the next; one that has taken keeps it', async () => {
	const purse = open();
	const [first, second, third] = [purse.reserve(), purse.reserve(), purse.reserve()];
	const late = third.take([]);
	second.release();
	await first.take([]);
	first.release();
	expect((await late).number).toBe(8n);
});

test('a place that cannot pay takes nothing, and what fits after it is taken', async () => {
	const purse = open();
	const pay = async (amount: bigint) => {
		const place = purse.reserve();
		return await place.take([cost(amount, 10n)]).finally(place.release);
	};
	const [first, second, third, last] = [pay(4n), pay(7n), pay(6n), pay(1n)];
	expect(await first).toEqual({ number: 7n, amounts: [4n] });
	expect(await messageOf(second)).toBe('7 after 4 by 1');
	expect(await third).toEqual({ number: 8n, amounts: [6n] });
	expect(await messageOf(last)).toBe('1 after 10 by 2');
});

test('assets are apart, those of one transaction together, and none is taken where one is short', async () => {
	const purse = open();
	const token = (amount: bigint) => cost(amount, 5n, { asset: 'token' });
	const refused = purse.reserve();
	expect(await messageOf(refused.take([cost(1n, 10n), token(3n), token(3n)]))).toBe(
		'3 after 3 by 0',
	);
	refused.release();
	const taken = await purse.reserve().take([cost(10n, 10n), token(3n), token(2n)]);
	expect(taken).toEqual({ number: 7n, amounts: [10n, 3n, 2n] });
	expect(await messageOf(purse.reserve().take([token(1n)]))).toBe('1 after 5 by 1');
});

test('a balance that nobody knows covers all, and what is taken so is missing afterwards', async () => {
	const purse = open();
	await purse.reserve().take([cost(8n)]);
	expect(await messageOf(purse.reserve().take([cost(3n, 10n)]))).toBe('3 after 8 by 1');
});

test('all that is left is what those before leave, and at least the amount', async () => {
	const purse = open();
	await purse.reserve().take([cost(4n, 10n)]);
	const all = (least: bigint) => cost(least, 10n, { takesAll: true });
	const refused = purse.reserve();
	expect(await messageOf(refused.take([all(7n)]))).toBe('7 after 4 by 1');
	refused.release();
	expect((await purse.reserve().take([all(6n)])).amounts).toEqual([6n]);
	expect(await messageOf(purse.reserve().take([all(1n)]))).toBe('1 after 10 by 2');
});

test('an account that cannot be read fails all its places, and nothing is left unhandled', async () => {
	const purse = new Purse(Promise.reject<{ next: bigint }>(new Error('gone')));
	const places = [purse.reserve(), purse.reserve()];
	for (const { take, release } of places) {
		expect(await messageOf(take([]))).toBe('gone');
		release();
	}
});

test('an account is read once in a run, and accounts are apart', async () => {
	const purses = new Map<string, Purse<{ next: bigint }>>();
	const read = jest.fn(async () => await Promise.resolve({ next: 3n }));
	const places = ['a', 'b', 'a'].map((account) => reservePlace(purses, account, read));
	const taken = await Promise.all(places.map(async ({ take }) => await take([])));
	expect(taken.map(({ number }) => number)).toEqual([3n, 3n, 4n]);
	expect(read).toHaveBeenCalledTimes(2);
});

/** The page docs/errors.md quotes the exact words of the error. Other tests check only the amounts. */
describe('an account that cannot pay', () => {
	const shortage = { balance: 10n, format: String, description: 'Send coins there.' };
	const say = (needed: bigint, spent: bigint, count: number) =>
		insufficientFundsError({ ...shortage, needed }, { spent, count });

	test('is told what is needed and what is there', () => {
		expect(say(11n, 0n, 0)).toMatchObject({
			message: 'The funds do not suffice: 11 are needed, 10 are there',
			description: 'Send coins there.',
		});
		expect(say(11n, 4n, 1).message).toBe('The funds do not suffice: 11 are needed, 10 are there');
	});

	test.each([
		[1, 'transaction'],
		[2, '2 transactions'],
	])(
		'for what comes before it, too, where it could pay for this one alone: %d',
		(count, others) => {
			expect(say(7n, 4n, count).message).toBe(
				`The funds do not suffice: with the ${others} before it, 11 are needed, 10 are there`,
			);
		},
	);
});
