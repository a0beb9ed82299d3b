import type { ChainObject } from '../core/chain/objects';
import { isRecord } from '../core/values/read';
import type { Connection } from './connection';
import type { Follower, TriggerDeps } from './triggerEvent';

const REMEMBERED = 10_000;

/** What waits for a block is emitted once; what came while there was no connection cannot be had. */
export class PendingTransactions implements Follower {
	readonly meanwhile = 'Transactions announced meanwhile are lost.';
	private readonly emitted = new Set<string>();

	constructor(private readonly around: TriggerDeps) {}

	async begin({ subscription }: Connection): Promise<void> {
		await subscription.begin('newPendingTransactions');
	}

	async follow({ inbox, over, subscription }: Connection, caughtUp: () => void): Promise<void> {
		const { executions, timing } = this.around;
		let renewedAt = Date.now();
		caughtUp();
		while (!over.aborted) {
			const messages = await inbox.takeAll();
			const items = messages.filter((message) => this.isFresh(message)).map(asItem);
			if (items.length > 0) executions.add({ items, key: JSON.stringify(items) });
			await executions.waitForRoom(over);
			if (!messages.some(isSignOfLife) || Date.now() - renewedAt < timing.renewal) continue;
			await subscription.renew();
			renewedAt = Date.now();
		}
	}

	private isFresh(message: unknown): boolean {
		const hash = isRecord(message) ? message.hash : message;
		if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) return false;
		if (this.emitted.has(hash)) return false;
		this.emitted.add(hash);
		const [oldest = ''] = this.emitted;
		if (this.emitted.size > REMEMBERED) this.emitted.delete(oldest);
		return true;
	}
}

/** A block number, which is too short for a hash: nothing was announced for a while. */
function isSignOfLife(message: unknown): boolean {
	return typeof message === 'string' && /^0x[0-9a-f]{1,63}$/i.test(message);
}

/** Some nodes send whole transactions. */
function asItem(message: unknown): ChainObject {
	return isRecord(message) ? message : { result: message };
}
