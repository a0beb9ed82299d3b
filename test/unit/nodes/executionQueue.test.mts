import { getEventListeners } from 'node:events';
import { ExecutionQueue } from '../../../nodes/EvmRpcTrigger/executionQueue';
import type { PendingExecutions } from '../../../nodes/EvmRpcTrigger/pendingExecutions';
import type { ExecutionEnd } from '../../../nodes/core/trigger/executions';
import { DEFAULT_SOCKET_TIMING } from '../../../nodes/EvmRpcTrigger/start';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A queue, and an n8n that reports the outcome of an execution only when the test asks it to. */
function scene() {
	const started: Started[] = [];
	/** For each save, the keys of executions that n8n may not have stored. */
	const saved: string[][] = [];
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
	const executions = new ExecutionQueue(start, DEFAULT_SOCKET_TIMING, closing.signal);
	const save = ({ underWay }: PendingExecutions) => void saved.push(underWay.map(({ key }) => key));
	return {
		executions,
		started,
		saved,
		closing,
		over,
		/** Adds this many items under the key. */
		add: (key: string, count = 1) =>
			executions.add({ items: Array.from({ length: count }, () => ({})), key, save }),
		/** Starts as after a kill that left these executions behind. */
		startAgain: async (starts: PendingExecutions) =>
			await executions.restart(starts, save, over.signal),
		keys: () => started.map(({ key }) => key),
		/** Returns whether the queue takes more at once. */
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

/** The limit of executions on their way to n8n's database, and of unfinished ones. */
const ROOM = 2_000;
const MOST_ROOM = 20_000;

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

describe('after a kill', () => {
	const left = (at: number, succeeded?: string): PendingExecutions => ({
		underWay: ['b', 'c'].map((key) => ({ key, at, items: [{ key }] })),
		succeeded,
	});

	test('what was on its way starts again, in order, and stays saved until n8n has it', async () => {
		const { add, keys, saved, startAgain, started } = scene();
		const over = startAgain(left(Date.now(), 'a'));
		expect(started).toMatchObject([{ key: 'a', items: 0 }]);
		started[0]?.report('duplicate');
		await over;
		add('d');
		expect(keys()).toEqual(['a', 'b', 'c', 'd']);
		expect(saved).toEqual([
			['b', 'c'],
			['b', 'c'],
			['b', 'c', 'd'],
		]);
	});

	test('it does not if n8n has deleted what succeeded before: it may have deleted this, too', async () => {
		const { keys, startAgain, started } = scene();
		const over = startAgain(left(Date.now(), 'a'));
		started[0]?.stored();
		await over;
		expect(keys()).toEqual(['a']);
	});

	test('it does not as long as nothing has succeeded: nothing shows what n8n keeps', async () => {
		const { keys, startAgain } = scene();
		await startAgain(left(Date.now()));
		expect(keys()).toEqual([]);
	});

	test('n8n is asked until its database is back; meanwhile the trigger goes on, and nothing is forgotten', async () => {
		const { add, keys, saved, startAgain, started } = scene();
		const over = startAgain(left(Date.now(), 'a'));
		started[0]?.fail();
		await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.settlingMs);
		await over;
		add('d');
		expect(saved.at(-1)).toEqual(['b', 'c', 'd']);
		started[1]?.report('duplicate');
		await jest.advanceTimersByTimeAsync(0);
		expect(keys()).toEqual(['a', 'a', 'd', 'b', 'c']);
	});

	test('a day later n8n may have deleted it: it does not start again', async () => {
		const { keys, startAgain } = scene();
		await startAgain(left(Date.now() - 86_400_000, 'a'));
		expect(keys()).toEqual([]);
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
