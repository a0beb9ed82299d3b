import type { IDataObject } from 'n8n-workflow';
import { Database } from '../../../test/harness/database.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import { numbered, triggerScene, type Stream } from '../support/triggerScene.mts';
import { MessageBuffer } from '../../nodes/GrpcTrigger/messageBuffer';
import { DEFAULT_GRPC_TIMING } from '../../nodes/GrpcTrigger/start';

const { playing, on } = triggerScene();

/** A database with this `execute`. */
function executing(execute: Database['execute']): { database: Database } {
	const database = new Database();
	database.execute = execute;
	return { database };
}

/** Writes messages as long as the stream accepts them. Returns how many it accepted. */
async function flood(
	stream: Stream,
	message: Buffer,
	most = Infinity,
): Promise<{ written: number }> {
	const progress = { written: 0 };
	const pour = () => {
		while (!stream.cancelled && progress.written < most) {
			progress.written++;
			if (!stream.write(message)) return void stream.once('drain', pour);
		}
	};
	pour();
	return progress;
}

const numbers = (items: readonly IDataObject[]) => items.map(({ n }) => Number(n));

test('one execution runs at a time, and what comes meanwhile waits in its order', async () => {
	let running = 0;
	let most = 0;
	let mayEnd: () => void = () => {};
	const first = new Promise<void>((resolve) => (mayEnd = resolve));
	const executed: number[][] = [];
	const life = executing(async (items) => {
		most = Math.max(most, ++running);
		executed.push(numbers(items));
		await first;
		running--;
	});
	let stream!: Stream;
	playing((opened) => (stream = opened).write(numbered(1)));
	await on({}, life);
	await waitUntil(() => running === 1);
	for (let number = 2; number <= 60; number++) stream.write(numbered(number));
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(executed).toEqual([[1]]);
	mayEnd();
	await waitUntil(() => executed.flat().length === 60);
	expect(executed.flat()).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
	expect(most).toBe(1);
});

test('a stream that is faster than n8n is read no faster than n8n goes', async () => {
	const COUNT = 4000;
	const message = Buffer.concat([Buffer.from([0x12, 0x80, 0x08]), Buffer.alloc(1024, 0x61)]);
	let release: () => void = () => {};
	const gate = new Promise<void>((resolve) => (release = resolve));
	let started = 0;
	let progress: { written: number } | undefined;
	playing(async (stream) => (progress = await flood(stream, message, COUNT)));
	const trigger = await on(
		{},
		executing(async () => {
			started++;
			await gate;
		}),
	);
	await waitUntil(() => started === 1);
	let before = -1;
	await waitUntil(async () => {
		const isStill = progress?.written === before;
		before = progress?.written ?? 0;
		await new Promise((resolve) => setTimeout(resolve, 200));
		return isStill;
	});
	expect(before).toBeLessThan(COUNT);
	release();
	expect(await trigger.has(COUNT)).toHaveLength(COUNT);
	expect(Math.max(...trigger.executions.map(({ length }) => length))).toBeLessThanOrEqual(1000);
});

test('large messages wait in bytes, not in number', async () => {
	const large = Buffer.concat([Buffer.from([0x12, 0x80, 0x80, 0x40]), Buffer.alloc(2 ** 20, 0x61)]);
	playing(async (stream) => await flood(stream, large, 40));
	const sizes: number[] = [];
	const trigger = await on(
		{},
		executing(async (items) => {
			sizes.push(items.length);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}),
	);
	await trigger.has(40);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(8);
});

test('what n8n could not store is started again, under the same key, and nothing overtakes it', async () => {
	const keys: string[] = [];
	let stream!: Stream;
	const database = new (class extends Database {
		override async insert(items: IDataObject[], key = ''): Promise<boolean> {
			if (keys.push(key) === 1) stream.write(numbered(2));
			this.isAway = keys.length <= 3;
			return await super.insert(items, key);
		}
	})();
	playing((opened) => (stream = opened).write(numbered(1)));
	const trigger = await on({}, { database });
	expect(numbers(await trigger.has(2))).toEqual([1, 2]);
	expect(new Set(keys.slice(0, 4)).size).toBe(1);
	expect(new Set(keys).size).toBe(2);
});

test('it closes at once while an execution runs', async () => {
	let isStarted = false;
	playing((stream) => stream.write(numbered(1)));
	const trigger = await on(
		{},
		executing(async () => {
			isStarted = true;
			await new Promise(() => {});
		}),
	);
	await waitUntil(() => isStarted);
	await trigger.close();
});

test('all that comes during one execution goes into the next', async () => {
	const executed: Array<readonly unknown[]> = [];
	const ends: Array<() => void> = [];
	const start = async (items: readonly unknown[]) => {
		executed.push(items);
		await new Promise<void>((resolve) => ends.push(resolve));
		return 'succeeded' as const;
	};
	const closing = new AbortController();
	const buffer = new MessageBuffer(
		start,
		{ ...DEFAULT_GRPC_TIMING, gatheringMs: 0 },
		closing.signal,
	);
	const message = (n: number) => ({ n });
	await buffer.push(message(1), 1);
	await waitUntil(() => executed.length === 1);
	const meanwhile = Array.from({ length: 59 }, (_, index) => message(index + 2));
	for (const item of meanwhile) await buffer.push(item, 1);
	expect(executed).toEqual([[message(1)]]);
	ends[0]?.();
	await waitUntil(() => executed.length === 2);
	expect(executed[1]).toEqual(meanwhile);
	closing.abort();
});
