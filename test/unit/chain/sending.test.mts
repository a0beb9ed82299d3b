import {
	sendOnce,
	type Sending,
	type Sent,
	type PostAnswer,
} from '../../../nodes/core/chain/sending';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** These tests check the code that all kinds of chains share. Each kind has further tests of its own operation Send. */

const HASH = 'aa'.repeat(32);
const lost = new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true });
const refused = new RequestFailure('no');

type Part = Partial<Sending>;

/** Creates a run that sends transactions. Its waits take no time, and its events are recorded in order. */
function open() {
	const events: string[] = [];
	const context = {
		shared: createShared(),
		wait: async (milliseconds: number) =>
			await Promise.resolve(void events.push(`${milliseconds}`)),
	};
	const send = async (part: Part = {}): Promise<Sent> => {
		const given: Sending = {
			noun: 'transaction',
			hashOf: () => HASH,
			post: async (hash) => await Promise.resolve({ named: hash, wasKnown: false }),
			find: async () => await Promise.resolve(false),
			formatAdvice: (_, hash) => `Its hash is ${hash}.`,
			...part,
		};
		const note = (name: string, hash: string) => void events.push(`${name} ${hash.slice(0, 2)}`);
		return await sendOnce(context, {
			...given,
			post: async (hash) => (note('post', hash), await given.post(hash)),
			find: async (hash) => (note('find', hash), await given.find(hash)),
		});
	};
	return { events, send };
}

const rejecting = (failure: unknown) => async () => await Promise.reject<never>(failure);
const answering = (...answers: ReadonlyArray<PostAnswer | Error>) => {
	let count = 0;
	return async () => {
		const answer = answers[Math.min(count++, answers.length - 1)] ?? lost;
		return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
	};
};
const foundAt = (look: number, failure?: Error) => {
	let count = 0;
	return async () => {
		if (count++ === look) return true;
		return await (failure ? Promise.reject(failure) : Promise.resolve(false));
	};
};
const failureOf = async (sending: Promise<Sent>) =>
	await sending.then(
		() => undefined,
		(failure: unknown) => failure,
	);

/**
 * The settings of a search that looks up a refused transaction once. Even if the look-up fails, the transaction counts
 * as not carried out.
 */
const anyhow = () => ({ pauseMs: 0, isUsual: false });

describe('it was new only where the node took it from this very request:', () => {
	test.each<[string, Part, boolean, string[]]>([
		['taken', {}, false, ['post aa']],
		['taken, and no hash is named', { post: answering({ wasKnown: false }) }, false, ['post aa']],
		[
			'taken, in capitals',
			{ post: answering({ named: HASH.toUpperCase(), wasKnown: false }) },
			false,
			['post aa'],
		],
		['known to the node', { post: answering({ wasKnown: true }) }, true, ['post aa']],
		['there before', { prepare: async () => await Promise.resolve(true) }, true, []],
		[
			'refused, and there',
			{ post: rejecting(refused), searchRefused: anyhow, find: foundAt(0) },
			true,
			['post aa', 'find aa'],
		],
		['lost, and there', { post: rejecting(lost), find: foundAt(0) }, true, ['post aa', 'find aa']],
		[
			'lost, and there later',
			{ post: rejecting(lost), find: foundAt(2, refused) },
			true,
			['post aa', 'find aa', '1000', 'find aa', '2000', 'find aa'],
		],
	])('%s', async (_, part, wasKnown, expected) => {
		const { events, send } = open();
		expect(await send(part)).toEqual({ hash: HASH, wasKnown });
		expect(events).toEqual(expected);
	});
});

test('the next one of a queue waits until it is known what became of the one before; another queue does not', async () => {
	const { events, send } = open();
	const slow = { post: rejecting(lost), find: foundAt(1) };
	await Promise.all([
		send(slow),
		send({ hashOf: () => 'bb' }),
		send({ queue: 'other', hashOf: () => 'cc' }),
	]);
	const order = events.filter((one) => /post bb|find/.test(one));
	expect(order).toEqual(['find aa', 'find aa', 'post bb']);
	expect(events.indexOf('post cc')).toBeLessThan(events.indexOf('post bb'));
});

test('what fails before it is sent is not sent', async () => {
	const { events, send } = open();
	expect(await failureOf(send({ prepare: rejecting(lost) }))).toBe(lost);
	expect(await failureOf(send({ hashOf: rejecting(lost) }))).toBe(lost);
	expect(events).toEqual([]);
});

describe('a refusal', () => {
	test('is not looked up, and names the hash', async () => {
		const { events, send } = open();
		expect(await failureOf(send({ post: rejecting(refused), find: foundAt(0) }))).toMatchObject({
			message: 'no',
			description: `Its hash is ${HASH}.`,
			maybeExecuted: false,
		});
		expect(events).toEqual(['post aa']);
	});

	test.each([false, lost])('stays one where the look-up gives %p', async (found) => {
		const { events, send } = open();
		const find = found === false ? foundAt(5) : rejecting(found);
		const part = { post: rejecting(refused), searchRefused: anyhow, find };
		expect(await failureOf(send(part))).toMatchObject({ message: 'no', maybeExecuted: false });
		expect(events).toEqual(['post aa', 'find aa']);
	});

	test('that nodes give of what the chain has is in doubt until a look-up is answered', async () => {
		const { events, send } = open();
		const searchRefused = () => ({ pauseMs: 3_000, isUsual: true });
		const part = { post: rejecting(refused), searchRefused, find: rejecting(lost) };
		expect(await failureOf(send(part))).toMatchObject({ message: 'no', maybeExecuted: true });
		expect(events).toEqual(['post aa', 'find aa', '1000', 'find aa', '2000', 'find aa']);
	});

	test('whose words say that the node failed is like a lost answer', async () => {
		const { send } = open();
		const failed = new RequestFailure('Internal error');
		const part = { post: rejecting(failed), find: foundAt(1) };
		expect(await send(part)).toEqual({ hash: HASH, wasKnown: true });
	});
});

describe('a lost one', () => {
	test.each([undefined, refused])('that is not found stays in doubt: %p', async (failure) => {
		const { events, send } = open();
		expect(
			await failureOf(send({ post: rejecting(lost), find: foundAt(9, failure) })),
		).toMatchObject({ message: 'gone', description: `Its hash is ${HASH}.`, maybeExecuted: true });
		const waits = events.filter((one) => /^\d/.test(one));
		expect(waits).toEqual(['1000', '2000', '4000', '7500']);
		expect(events.filter((one) => one === 'post aa')).toHaveLength(1);
	});

	test('is looked for as long as its family says', async () => {
		const { events, send } = open();
		const limitSearch = () => ({ pauseMs: 40_000, limitMs: 60_000 });
		await failureOf(send({ post: rejecting(lost), limitSearch }));
		const waits = events.filter((one) => /^\d/.test(one));
		expect(waits).toEqual(['1000', '2000', '4000', '8000', '15000', '10000']);
	});

	test('is given up at the limit, even where no look-up comes back', async () => {
		jest.useFakeTimers({ now: 0 });
		const never = new Promise<boolean>(() => {});
		const { send } = open();
		const ended = failureOf(send({ post: rejecting(lost), find: async () => await never }));
		await jest.advanceTimersByTimeAsync(15_100);
		expect(await ended).toMatchObject({ message: 'gone', maybeExecuted: true });
		jest.useRealTimers();
	});

	test('that can no longer arrive has failed for good, unless it is there', async () => {
		const end = new RequestFailure('expired');
		const part = { post: rejecting(lost), readEnd: async () => await Promise.resolve(end) };
		const { events, send } = open();
		expect(await failureOf(send(part))).toBe(end);
		expect(events).toEqual(['post aa', 'find aa']);
		expect(await send({ ...part, find: foundAt(0) })).toEqual({ hash: HASH, wasKnown: true });
	});

	test('is looked for where nobody knows whether it can still arrive', async () => {
		const { send } = open();
		const part = { post: rejecting(lost), readEnd: rejecting(refused), find: foundAt(1) };
		expect(await send(part)).toEqual({ hash: HASH, wasKnown: true });
	});
});

describe('what a busy node did not take', () => {
	const isBusy = ({ message }: RequestFailure) => message === 'busy';
	const busy = new RequestFailure('busy');

	test('is sent again after pauses', async () => {
		const { events, send } = open();
		const post = answering(busy, busy, { named: HASH, wasKnown: false });
		expect(await send({ post, isBusy })).toEqual({ hash: HASH, wasKnown: false });
		expect(events).toEqual(['post aa', '1000', 'post aa', '2000', 'post aa']);
	});

	test('is given up after four attempts', async () => {
		const { events, send } = open();
		expect(await failureOf(send({ post: answering(busy), isBusy }))).toMatchObject({
			message: 'busy',
			maybeExecuted: false,
		});
		expect(events.filter((one) => one === 'post aa')).toHaveLength(4);
	});

	test('is looked up where one of the answers left it open', async () => {
		const maybe = new RequestFailure('busy', { maybeExecuted: true });
		const { send } = open();
		const part = { post: answering(maybe, refused), isBusy, find: foundAt(0) };
		expect(await send(part)).toEqual({ hash: HASH, wasKnown: true });
	});
});

describe('a node that names another hash', () => {
	test.each(['', 'x', 5, {}, 'bb'.repeat(32), 'x'.repeat(100_000)])(
		'is not asked any more: %p',
		async (named) => {
			const { events, send } = open();
			const post = answering({ named, wasKnown: false });
			const failure = await failureOf(send({ post, find: foundAt(0) }));
			expect(failure).toMatchObject({
				message: expect.stringMatching(
					new RegExp(
						`^The chain node says that it accepted another transaction: .{1,120} instead of ${HASH}$`,
					),
				),
				maybeExecuted: true,
			});
			expect(events).toEqual(['post aa']);
		},
	);

	test('is believed where the family knows the hash as one of its own', async () => {
		const { send } = open();
		const part = { post: answering({ named: 'cc', wasKnown: false }), matchHash: String };
		expect(await send(part)).toEqual({ hash: 'cc', wasKnown: false });
	});
});

test('what is no failure of the service, such as a stop, goes through', async () => {
	const stopped = new Error('stopped');
	const { events, send } = open();
	expect(await failureOf(send({ post: rejecting(stopped), searchRefused: anyhow }))).toBe(stopped);
	expect(await failureOf(send({ post: rejecting(lost), find: rejecting(stopped) }))).toBe(stopped);
	expect(events).toEqual(['post aa', 'post aa', 'find aa']);
});
