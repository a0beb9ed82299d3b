import type { IDataObject } from 'n8n-workflow';

const copyJson = <T,>(data: T) => JSON.parse(JSON.stringify(data)) as T;

/** What n8n stores for a trigger, in a database that may be away. */
export class Database {
	isAway = false;
	/** Older versions of n8n take neither a key nor someone to tell. */
	isOld = false;
	/** Whether what has ended stays, and its key with it. */
	keepsEnded = true;
	/** n8n is killed after so many writes: none comes any more, and nobody hears of it. */
	writesLeft = Infinity;
	staticData: IDataObject = {};
	/** The json of every item, those of one execution together. */
	readonly executions: IDataObject[][] = [];
	/** How often each key was given. */
	readonly keys = new Map<string, number>();
	/** How an execution goes on once it is stored. */
	execute: (items: readonly IDataObject[]) => Promise<void> = async () => await Promise.resolve();

	save(staticData: IDataObject): void {
		if (!this.isAway && this.countWrite()) this.staticData = copyJson(staticData);
	}

	/** Ends when the execution has, or at once, and says false, if there is one under this key. */
	async insert(items: IDataObject[], key?: string): Promise<boolean> {
		if (this.isAway) throw new Error('The database is away');
		if (!this.countWrite()) return await new Promise(() => {});
		if (key !== undefined) {
			const count = this.keys.get(key) ?? 0;
			this.keys.set(key, count + 1);
			if (count > 0) return false;
		}
		this.executions.push(items);
		await this.execute(items);
		if (key !== undefined && !this.keepsEnded) this.keys.delete(key);
		return true;
	}

	private countWrite(): boolean {
		return this.writesLeft-- > 0;
	}
}
