import type { IDataObject } from 'n8n-workflow';

const copyJson = <T,>(data: T) => JSON.parse(JSON.stringify(data)) as T;

/**
 * Stands in for n8n's database, which stores the data and the executions of a trigger. The database can be unavailable.
 */
export class Database {
	isAway = false;
	/** Whether n8n is an older version, whose triggers accept neither a key nor a listener. */
	isOld = false;
	/** Whether n8n keeps executions that have ended, together with their keys. */
	keepsEnded = true;
	/** The number of writes after which n8n counts as killed. Later writes are lost without an error. */
	writesLeft = Infinity;
	staticData: IDataObject = {};
	/** The data of all executions. Each inner list holds the `json` of the items of one execution. */
	readonly executions: IDataObject[][] = [];
	/** How often each key was used. */
	readonly keys = new Map<string, number>();
	/** Continues an execution after it is stored. Tests replace this function. */
	execute: (items: readonly IDataObject[]) => Promise<void> = async () => await Promise.resolve();

	save(staticData: IDataObject): void {
		if (!this.isAway && this.countWrite()) this.staticData = copyJson(staticData);
	}

	/**
	 * Stores and runs an execution. Resolves with true when it has ended, or with false at once if its key was used
	 * before.
	 */
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
