import { rethrow } from '../../values/parse';
import { Stopped } from './stop';
import { sleep } from 'n8n-workflow';

/**
 * A key for a value that the items of a run share, or that a trigger keeps. Each key is declared once, as a constant
 * by `sharedKey`; `test/house/sharedKeys` checks it. TypeScript accepts no plain function as a key, because the class
 * has a private member.
 */
class SharedKey<Value> {
	constructor(
		readonly name: string,
		private readonly factory: () => Value,
	) {}

	create(): Value {
		return this.factory();
	}
}

export type { SharedKey };

/** Returns the shared value of a key. The value is created at the first call. */
export type Shared = <Value>(key: SharedKey<Value>) => Value;

/** Declares a key for a shared value. Its name begins with the family or the node, as in `evm.purses`. */
export function sharedKey<Value>(name: string, create: () => Value): SharedKey<Value> {
	return new SharedKey(name, create);
}

interface SharedValue {
	readonly key: SharedKey<unknown>;
	readonly value: unknown;
}

/**
 * Creates a store of shared values for a run or a trigger. Each value is created on first use. A second key with the
 * same name throws an error.
 */
export function createShared(): Shared {
	const values = new Map<string, SharedValue>();
	return <Value>(key: SharedKey<Value>): Value => {
		const known = values.get(key.name) ?? { key, value: key.create() };
		if (known.key !== key) throw new Error(`'${key.name}' is declared twice as what is shared`);
		values.set(key.name, known);
		return known.value as Value;
	};
}

/**
 * Reads a value once, even if several callers ask for it at the same time. After a failure, it is read again. If the
 * first caller's item was stopped, the other callers read the value themselves.
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

/** Reads a value that several items need. If the item that reads is stopped, the next item reads it. */
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

/** Loads the values of several keys with one request. Keys without a value may be missing in the result. */
type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Group<Value> {
	readonly keys: Set<string>;
	readonly loading: ReturnType<Load<Value>>;
}

/** Collects the keys that items request at the same time, and loads them with one request. The results are not kept. */
export class Loader<Value> {
	private open?: Group<Value>;

	constructor(private readonly maxKeys: number) {}

	async get(key: string, load: Load<Value>): Promise<Value | undefined> {
		const group = this.open ?? this.openGroup(load);
		group.keys.add(key);
		if (group.keys.size >= this.maxKeys) this.open = undefined;
		return (await group.loading).get(key);
	}

	private openGroup(load: Load<Value>): Group<Value> {
		const keys = new Set<string>();
		const loading = sleep(0).then(async () => {
			if (this.open === group) this.open = undefined;
			return await load([...keys]);
		});
		const group: Group<Value> = { keys, loading };
		this.open = group;
		return group;
	}
}
