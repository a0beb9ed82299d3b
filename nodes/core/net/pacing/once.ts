import { rethrow } from '../../values/parse';
import { Stopped } from './stop';

/**
 * Reads a value once for all who ask for it, also while it is under way. After a failure it is read again. Where the item that
 * began to read is over, one that waits for it reads by itself.
 */
export async function readOnce<Key, Value>(
	reads: Map<Key, Promise<Value>>,
	key: Key,
	read: () => Promise<Value>,
): Promise<Value> {
	const known = reads.get(key);
	const reading = known ?? read();
	reads.set(key, reading);
	return await reading.catch(async (failure: unknown) => {
		if (reads.get(key) === reading) reads.delete(key);
		return known && failure instanceof Stopped
			? await readOnce(reads, key, read)
			: rethrow(failure);
	});
}

/** Reads for all items that wait for the same value. Where the one that reads is over, the next one does. */
export async function readByAny<Value>(
	readers: ReadonlyArray<() => Promise<Value>>,
): Promise<Value> {
	for (const read of readers) {
		const value = await read().catch(asStopped);
		if (!(value instanceof Stopped)) return value;
	}
	throw new Stopped();
}

function asStopped(failure: unknown): Stopped {
	return failure instanceof Stopped ? failure : rethrow(failure);
}
