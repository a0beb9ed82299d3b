import { getEventListeners } from 'node:events';
import { ExecutionQueue } from '../../../nodes/EvmRpcTrigger/executionQueue';
import { USUAL } from '../../../nodes/EvmRpcTrigger/start';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A queue, and an n8n that says what became of an execution only when it is asked to. */
function scene() {
	const started: Started[] = [];
	const saved: unknown[] = [];
	const closing = new AbortController();
	const over = new AbortController();
	const start = async (items: readonly object[], key: string) =>
		await new Promise<void>((stored, fail) => {
			started.push({ key, items: items.length, stored, fail: () => fail(new Error('away')) });
		});
	const executions = new ExecutionQueue(start, USUAL, closing.signal);
	let last: string | undefined;
	return {
		...{ executions, started, saved, closing, over },
		/** Adds so many items under this key, which is also the position. */
		add: (key: string, count = 1) => {
			const before = last;
			last = key;
			executions.add({
				items: Array.from({ length: count }, () => ({})),
				key,
				save: () => saved.push(key),
				restore: () => before && saved.push(before),
			});
		},
		keys: () => started.map(({ key }) => key),
		/** Whether there is room for more at once. */
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
	readonly stored: () => void;
	readonly fail: () => void;
}

const ROOM = 20_000;

test('there is room until so many items are on their way', async () => {
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
	started[0]?.stored();
	await waiting;
	expect(getEventListeners(over.signal, 'abort')).toEqual([]);
});

test('a hundred waits leave no listener behind', async () => {
	const { add, executions, over, started } = scene();
	for (let count = 0; count < 100; count++) {
		add(String(count), ROOM);
		const waiting = executions.waitForRoom(over.signal);
		started[count]?.stored();
		await waiting;
	}
	expect(getEventListeners(over.signal, 'abort')).toEqual([]);
});

test('what runs for long and did not fail counts as stored', async () => {
	const { add, hasRoom } = scene();
	add('a', ROOM);
	await jest.advanceTimersByTimeAsync(USUAL.failing);
	expect(await hasRoom()).toBe(false);
	await jest.advanceTimersByTimeAsync(USUAL.storing);
	expect(await hasRoom()).toBe(true);
});

test('nobody waits for room once the connection is over', async () => {
	const { add, executions, over } = scene();
	add('a', ROOM);
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
	await jest.advanceTimersByTimeAsync(USUAL.pause);
	expect(keys()).toEqual(['a', 'b', 'c', 'a']);
	for (const next of ['c', 'd']) {
		started.at(-1)?.stored();
		await jest.advanceTimersByTimeAsync(USUAL.pause);
		expect(keys().at(-1)).toBe(next);
	}
	started.at(-1)?.stored();
	expect(await hasRoom()).toBe(true);
	expect(keys()).toEqual(['a', 'b', 'c', 'a', 'c', 'd']);
});

test('what fails again and again is started ever more rarely, and nothing overtakes it', async () => {
	const { add, keys, started } = scene();
	for (const key of ['a', 'b']) add(key);
	started[0]?.fail();
	started[1]?.fail();
	const pauses: number[] = [];
	for (let since = Date.now(); pauses.length < 9; since = Date.now()) {
		const before = started.length;
		while (started.length === before) await jest.advanceTimersByTimeAsync(USUAL.pause);
		pauses.push(Math.round((Date.now() - since) / USUAL.pause));
		started.at(-1)?.fail();
	}
	expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
	expect(new Set(keys().slice(2))).toEqual(new Set(['a']));
});

test('what is saved meanwhile is the place before the first that was not stored', async () => {
	const { add, saved, started } = scene();
	add('a');
	started[0]?.stored();
	for (const key of ['b', 'c']) add(key);
	expect(saved).toEqual(['a', 'b', 'c']);
	started[1]?.fail();
	started[2]?.fail();
	await jest.advanceTimersByTimeAsync(USUAL.pause);
	expect(saved.at(-1)).toBe('a');
	started[3]?.stored();
	await jest.advanceTimersByTimeAsync(USUAL.pause);
	expect(saved.at(-1)).toBe('b');
	started[4]?.stored();
	await jest.advanceTimersByTimeAsync(0);
	expect(saved.at(-1)).toBe('c');
});

test('a trigger that is closed starts nothing any more', async () => {
	const { add, keys, started, closing } = scene();
	add('a');
	started[0]?.fail();
	await jest.advanceTimersByTimeAsync(1);
	closing.abort();
	add('b');
	await jest.advanceTimersByTimeAsync(USUAL.longestPause);
	expect(keys()).toEqual(['a']);
});
