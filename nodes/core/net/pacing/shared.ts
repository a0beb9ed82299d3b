import { rethrow } from '../../values/parse';
import { Stopped } from './stop';
import { sleep } from 'n8n-workflow';

/**
 * A kind of value that the items of a run share, or what a trigger remembers: its name, and how it is made. It is declared once,
 * by `sharedKey` and as a constant of its file (`test/house/sharedKeys`). The private member keeps functions from being one.
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

/** Gives the value of this kind, which is made when it is first asked for. */
export type Shared = <Value>(key: SharedKey<Value>) => Value;

/** Declares what is shared. The name begins with the family or the node, as in `evm.purses`. */
export function sharedKey<Value>(name: string, create: () => Value): SharedKey<Value> {
	return new SharedKey(name, create);
}

interface SharedValue {
	readonly key: SharedKey<unknown>;
	readonly value: unknown;
}

/** Creates values that live as long as a run or a trigger, each on first use. Of two keys of one name only the first is known. */
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

/** Loads several things with one request. A key that nothing is known of may be missing. */
type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Group<Value> {
	readonly keys: Set<string>;
	readonly loading: ReturnType<Load<Value>>;
}

/** Joins what items ask for at the same time, where a service answers for many things at once. Nothing is remembered. */
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
