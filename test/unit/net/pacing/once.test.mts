import { reservePlace, type Purse } from '../../../../nodes/core/chain/purse';
import { readByAny, readOnce } from '../../../../nodes/core/net/pacing/shared';
import { Stopped } from '../../../../nodes/core/net/pacing/stop';

/** Fails like a read whose item was stopped before the answer came. */
const isOver = async () => await Promise.reject(new Stopped());
const fails = async () => await Promise.reject(new Error('refused'));
/** Creates a mock that counts how often the value is read. */
const reader = () => jest.fn(async () => await Promise.resolve('read'));

test('a value is read once for all who ask while it is under way', async () => {
	const [reads, read] = [new Map<string, Promise<string>>(), reader()];
	const asked = [1, 2, 3].map(async () => await readOnce(reads, 'key', read));
	expect(await Promise.all(asked)).toEqual(['read', 'read', 'read']);
	expect(read).toHaveBeenCalledTimes(1);
});

test('where the item that began to read is over, the others read it, once', async () => {
	const [reads, read] = [new Map<string, Promise<string>>(), reader()];
	const began = readOnce(reads, 'key', isOver);
	const others = [1, 2].map(async () => await readOnce(reads, 'key', read));
	await expect(began).rejects.toBeInstanceOf(Stopped);
	expect(await Promise.all(others)).toEqual(['read', 'read']);
	expect(read).toHaveBeenCalledTimes(1);
});

test('where all are over, or the service fails, all learn of it', async () => {
	for (const [read, words] of [
		[isOver, 'canceled'],
		[fails, 'refused'],
	] as const) {
		const reads = new Map<string, Promise<string>>();
		const asked = [1, 2, 3].map(async () => await readOnce<string, string>(reads, 'key', read));
		const ends = await Promise.allSettled(asked);
		for (const end of ends)
			expect(end).toMatchObject({ reason: { message: expect.stringContaining(words) } });
		expect(reads.size).toBe(0);
	}
});

test('the first of several who is not over reads, and a failure is that of all', async () => {
	const [read, later] = [reader(), reader()];
	expect(await readByAny([isOver, isOver, read, later])).toBe('read');
	expect(later).not.toHaveBeenCalled();
	await expect(readByAny([isOver, fails, later])).rejects.toThrow('refused');
	await expect(readByAny([isOver, isOver])).rejects.toBeInstanceOf(Stopped);
});

test('an item that is over before its account is read stops none of those behind it', async () => {
	const purses = new Map<string, Purse<{ next: bigint }>>();
	const first = reservePlace(purses, 'account', isOver);
	const second = reservePlace(purses, 'account', async () => await Promise.resolve({ next: 7n }));
	first.release();
	expect((await second.take([])).number).toBe(7n);
});
