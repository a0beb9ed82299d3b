import { rethrow } from '../../values/parse';

/** Reads a value once for all who ask for it, also while it is under way. After a failure it is read again. */
export async function readOnce<Key, Value>(
	reads: Map<Key, Promise<Value>>,
	key: Key,
	read: () => Promise<Value>,
): Promise<Value> {
	const reading = reads.get(key) ?? read();
	reads.set(key, reading);
	return await reading.catch((failure: unknown) => {
		if (reads.get(key) === reading) reads.delete(key);
		return rethrow(failure);
	});
}
