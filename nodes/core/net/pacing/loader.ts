import { sleep } from 'n8n-workflow';

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
