import { getEventListeners } from 'node:events';
import { ExecutionQueue, type Saved } from '../../../nodes/EvmRpcTrigger/executionQueue';
import {
	NO_PENDING_EXECUTIONS,
	parsePendingExecutions,
} from '../../../nodes/EvmRpcTrigger/restart';
import { createCursorAfter, type SavedCursor } from '../../../nodes/core/chain/cursor';
import { copyItems, type ExecutionEnd } from '../../../nodes/core/trigger/executions';
import { DEFAULT_SOCKET_TIMING } from '../../../nodes/EvmRpcTrigger/start';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Creates a saved cursor, which continues at the given block. */
const at = (next: number, watched = 'blocks'): SavedCursor => ({
	chain: { id: '1', first: '0xaa' },
	watched,
	cursor: createCursorAfter({ number: next - 1, hash: `0x${next - 1}` }),
});

/**
 * Creates a queue, and a fake n8n that has the state `before` stored. Each test says when and how an execution ends.
 */
function scene(before: Saved = { pending: NO_PENDING_EXECUTIONS }) {
	const started: Started[] = [];
	/** The keys of the executions that n8n may not have stored, for each save. */
	const saved: string[][] = [];
	/** The next block to read, as n8n stored it in each save. */
	const positions: number[] = [];
	const closing = new AbortController();
	const over = new AbortController();
	const start = async (items: readonly object[], key: string) =>
		await new Promise<ExecutionEnd>((report, fail) => {
			started.push({
				key,
				items: items.length,
				report,
				stored: () => report('succeeded'),
				fail: () => fail(new Error('away')),
			});
		});
	const storage = {
		load: () => before,
		save: ({ cursor: { cursor }, pending }: Required<Saved>) => {
			saved.push(pending.underWay.map(({ key }) => key));
			positions.push(cursor.next);
		},
	};
	const executions = new ExecutionQueue(start, storage, DEFAULT_SOCKET_TIMING, closing.signal);
	executions.load('blocks');
	return {
		executions,
		started,
		saved,
		positions,
		closing,
		over,
		/** Adds an execution with the given key and number of items. */
		add: (key: string, count = 1) =>
			executions.add({ items: Array.from({ length: count }, () => ({})), key, cursor: at(7) }),
		keys: () => started.map(({ key }) => key),
		/** Returns whether the queue takes another execution without waiting. */
		hasRoom: async () => {
			let isOver = false;
			void executions.waitForRoom(over.signal).then(() => (isOver = true));
			await jest.advanceTimersByTimeAsync(0);
			return isOver;
		},
	};
}

interface Started {
	readonly key: string;
	readonly items: number;
	readonly report: (ending: ExecutionEnd) => void;
	readonly stored: () => void;
	readonly fail: () => void;
}

/** The limits of items: in executions that n8n may not have stored yet, and in all executions without a result. */
const ROOM = 2_000;
const MOST_ROOM = 20_000;

test('there is room until the limit of items is on its way', async () => {
	const { add, hasRoom, started } = scene();
	add('a', ROOM - 1);
	expect(await hasRoom()).toBe(true);
	add('b');
	expect(await hasRoom()).toBe(false);
	started[0]?.stored();
	expect(await hasRoom()).toBe(true);
});

test('whoever waits for room goes on as soon as there is some', async () => {
	const { add, executions, over, started } = scene();
	add('a', ROOM);
	const waiting = executions.waitForRoom(over.signal);
	expect(getEventListeners(over.signal, 'abort')).toHaveLength(1);
	started[0]?.stored();
	await waiting;
	expect(getEventListeners(over.signal, 'abort')).toEqual([]);
});

test('a hundred waits leave no listener behind', async () => {
	const { add, executions, over, started } = scene();
	for (let count = 0; count < 100; count++) {
		add(String(count), ROOM);
		const waiting = executions.waitForRoom(over.signal);
		expect(getEventListeners(over.signal, 'abort')).toHaveLength(1);
		started[count]?.stored();
		await waiting;
	}
	expect(getEventListeners(over.signal, 'abort')).toEqual([]);
});

test('what runs for a while has very likely been stored: there is room for more', async () => {
	const { add, hasRoom } = scene();
	add('a', ROOM);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.settlingMs);
	expect(await hasRoom()).toBe(false);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.storingMs);
	expect(await hasRoom()).toBe(true);
});

test('of what runs for long, only so much is kept, and only so long where more is to come', async () => {
	const { add, hasRoom, keys, started } = scene();
	add('a', MOST_ROOM);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.failingMs);
	expect(await hasRoom()).toBe(false);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.storingMs);
	expect(await hasRoom()).toBe(true);
	started[0]?.fail();
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.maxPauseMs);
	expect(keys()).toEqual(['a']);
});

test.each([61, 320, 3_600])(
	'what n8n could not store after all, as it says %d seconds later, starts again under its key, before what comes then',
	async (seconds) => {
		const { add, hasRoom, keys, started } = scene();
		for (const key of ['a', 'b']) add(key);
		started[1]?.stored();
		for (let second = 0; second < seconds; second += 10) {
			await jest.advanceTimersByTimeAsync(10_000);
			expect(await hasRoom()).toBe(true);
		}
		started[0]?.fail();
		await jest.advanceTimersByTimeAsync(0);
		expect(await hasRoom()).toBe(false);
		add('c');
		await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
		expect(keys()).toEqual(['a', 'b', 'a']);
		started.at(-1)?.stored();
		await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
		expect(keys()).toEqual(['a', 'b', 'a', 'c']);
	},
);

test('nobody waits for room once the connection is over', async () => {
	const { add, executions, hasRoom, over } = scene();
	add('a', ROOM);
	expect(await hasRoom()).toBe(false);
	const waiting = executions.waitForRoom(over.signal);
	over.abort();
	await waiting;
});

test('after a failure nothing has room, and all starts again in order', async () => {
	const { add, hasRoom, keys, started } = scene();
	for (const key of ['a', 'b', 'c']) add(key);
	started[2]?.fail();
	started[0]?.fail();
	await jest.advanceTimersByTimeAsync(0);
	expect(await hasRoom()).toBe(false);
	add('d');
	expect(keys()).toEqual(['a', 'b', 'c']);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
	expect(keys()).toEqual(['a', 'b', 'c', 'a']);
	for (const next of ['c', 'd']) {
		started.at(-1)?.stored();
		await jest.advanceTimersByTimeAsync(0);
		expect(keys().at(-1)).toBe(next);
	}
	started.at(-1)?.stored();
	expect(await hasRoom()).toBe(true);
	expect(keys()).toEqual(['a', 'b', 'c', 'a', 'c', 'd']);
});

test('once one is stored, the others follow without a pause, however long they run', async () => {
	const { add, hasRoom, keys, started } = scene();
	const all = Array.from({ length: 300 }, (_, index) => String(index));
	for (const key of all) add(key);
	for (const { fail } of [...started]) fail();
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
	started.at(-1)?.stored();
	await jest.advanceTimersByTimeAsync(60_000);
	expect(keys().slice(300)).toEqual(all);
	expect(await hasRoom()).toBe(true);
});

test('what fails again and again is started ever more rarely, and nothing overtakes it', async () => {
	const { add, keys, started } = scene();
	for (const key of ['a', 'b']) add(key);
	started[0]?.fail();
	started[1]?.fail();
	const pauses: number[] = [];
	for (let since = Date.now(); pauses.length < 9; since = Date.now()) {
		const before = started.length;
		while (started.length === before)
			await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
		pauses.push(Math.round((Date.now() - since) / DEFAULT_SOCKET_TIMING.pauseMs));
		started.at(-1)?.fail();
	}
	expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
	expect(new Set(keys().slice(2))).toEqual(new Set(['a']));
});

test('what n8n may not have stored is saved with each start', async () => {
	const { add, saved, started } = scene();
	add('a');
	started[0]?.stored();
	await jest.advanceTimersByTimeAsync(0);
	for (const key of ['b', 'c']) add(key);
	expect(saved).toEqual([['a'], ['b'], ['b', 'c']]);
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.settlingMs + 1);
	add('d');
	expect(saved.at(-1)).toEqual(['d']);
	started[1]?.fail();
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
	expect(saved.at(-1)).toEqual(['b', 'd']);
	started.at(-1)?.stored();
	await jest.advanceTimersByTimeAsync(0);
	add('e');
	expect(saved.at(-1)).toEqual(['d', 'e']);
});

test('of an n8n that reports nothing, nothing is saved: it may know no keys either', async () => {
	const { add, saved, started } = scene();
	add('a');
	started[0]?.report('unknown');
	await jest.advanceTimersByTimeAsync(0);
	add('b');
	expect(saved).toEqual([['a'], []]);
});

test('the cursor of the latest execution is saved with each start and each retry, until another begins', async () => {
	const { executions, positions, started } = scene();
	const [a, b] = ['a', 'b'].map((key, index) => ({ items: [{}], key, cursor: at(8 + index) }));
	executions.add(a!);
	executions.add(b!);
	started[0]?.fail();
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.pauseMs);
	expect(positions).toEqual([8, 9, 9]);
	started.at(-1)?.fail();
	executions.saveCursor(at(3));
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.maxPauseMs);
	expect(positions).toEqual([8, 9, 9, 3, 3]);
});

test('without a cursor nothing is saved', async () => {
	const { executions, saved, started } = scene();
	executions.add({ items: [{}], key: 'a' });
	expect(started).toHaveLength(1);
	expect(saved).toEqual([]);
});

describe('after a kill', () => {
	const left = (since: number, succeeded?: string, watched?: string): Saved => ({
		cursor: at(7, watched),
		pending: {
			underWay: ['b', 'c'].map((key) => ({ key, at: since, items: [{ key }] })),
			succeeded,
		},
	});

	test('what was on its way starts again, in order, and stays saved until n8n has it', async () => {
		const { add, executions, keys, over, saved, started } = scene(left(Date.now(), 'a'));
		const restarted = executions.restartPending(over.signal);
		expect(started).toMatchObject([{ key: 'a', items: 0 }]);
		started[0]?.report('duplicate');
		await restarted;
		add('d');
		expect(keys()).toEqual(['a', 'b', 'c', 'd']);
		expect(saved).toEqual([
			['b', 'c'],
			['b', 'c'],
			['b', 'c', 'd'],
		]);
	});

	test.each<[string, Saved, ExecutionEnd | undefined, string[]]>([
		[
			'n8n has deleted what succeeded before: it may have deleted this, too',
			left(Date.now(), 'a'),
			'succeeded',
			['a'],
		],
		['nothing has succeeded: nothing shows what n8n keeps', left(Date.now()), undefined, []],
		[
			'a day has passed: n8n may have deleted it',
			left(Date.now() - 86_400_000, 'a'),
			undefined,
			[],
		],
		['something else was watched', left(Date.now(), 'a', 'logs'), undefined, []],
	])('it does not start again if %s', async (_why, before, ending, wanted) => {
		const { executions, keys, over, started } = scene(before);
		const restarted = executions.restartPending(over.signal);
		if (ending) started[0]?.report(ending);
		await restarted;
		expect(keys()).toEqual(wanted);
	});

	test('n8n is asked until its database is back; meanwhile the trigger goes on, and nothing is forgotten', async () => {
		const { add, executions, keys, over, saved, started } = scene(left(Date.now(), 'a'));
		const restarted = executions.restartPending(over.signal);
		started[0]?.fail();
		await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.settlingMs);
		await restarted;
		add('d');
		expect(saved.at(-1)).toEqual(['b', 'c', 'd']);
		started[1]?.report('duplicate');
		await jest.advanceTimersByTimeAsync(0);
		expect(keys()).toEqual(['a', 'a', 'd', 'b', 'c']);
	});

	test('a new connection, or another chain on it, changes nothing of what is undecided', async () => {
		const { executions, keys, saved, started } = scene(left(Date.now(), 'a'));
		executions.saveCursor(at(3));
		for (let connections = 3; connections > 0; connections--) {
			const over = new AbortController();
			const restarted = executions.restartPending(over.signal);
			await jest.advanceTimersByTimeAsync(1);
			over.abort();
			await restarted;
			executions.saveCursor(at(3));
		}
		expect(saved).toEqual(new Array(4).fill(['b', 'c']));
		started[0]?.report('duplicate');
		await jest.advanceTimersByTimeAsync(0);
		expect(keys()).toEqual(['a', 'b', 'c']);
		await executions.restartPending(new AbortController().signal);
		expect(keys()).toEqual(['a', 'b', 'c']);
	});
});

test('a trigger that is closed starts nothing any more', async () => {
	const { add, keys, started, closing } = scene();
	add('a');
	started[0]?.fail();
	await jest.advanceTimersByTimeAsync(1);
	closing.abort();
	add('b');
	await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.maxPauseMs);
	expect(keys()).toEqual(['a']);
});

describe('what was saved of executions', () => {
	const GOOD = { key: 'a', at: 1, items: [{ number: 7 }] };

	test('is read back, as a copy', () => {
		const stored = { underWay: [GOOD], succeeded: 'b' };
		const read = parsePendingExecutions(stored);
		expect(read).toEqual(stored);
		expect(read.underWay[0]?.items).not.toBe(GOOD.items);
	});

	test.each<unknown>([undefined, null, 'x', 7, [], {}, { underWay: 'many' }, { underWay: {} }])(
		'%j is nothing',
		(stored) => {
			expect(parsePendingExecutions(stored)).toEqual(NO_PENDING_EXECUTIONS);
		},
	);

	test.each<unknown>([
		null,
		[],
		{ ...GOOD, key: 1 },
		{ ...GOOD, at: '1' },
		{ ...GOOD, items: 'x' },
		{ ...GOOD, items: [1] },
	])('%j is left out, and nothing else', (broken) => {
		expect(parsePendingExecutions({ underWay: [broken, GOOD], succeeded: {} })).toEqual({
			underWay: [GOOD],
		});
	});
});

test('what is emitted is whole, whatever its fields are called', () => {
	const message = { json: { a: 1 }, binary: 'b', error: 'c', pairedItem: 4 };
	expect(copyItems([message])).toEqual([[{ json: message }]]);
});
