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
