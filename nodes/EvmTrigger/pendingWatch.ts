import { isRecord } from '../core/values/parseJson';
import type { ChainObject } from '../core/evm/chainObject';
import type { Connection } from './connection';
import { timing } from './timing';

const REMEMBERED = 10_000;

/** What waits for a block is told once; what came while there was no connection cannot be had. */
export class PendingWatch {
	readonly meanwhile = 'What begins to wait meanwhile is not told later.';
	private readonly emitted = new Set<string>();

	constructor(private readonly emit: (transactions: readonly ChainObject[]) => void) {}

	readonly begin = async ({ subscription }: Connection): Promise<void> => {
		await subscription.begin('newPendingTransactions');
	};

	readonly follow = async (
		{ inbox, over, subscription }: Connection,
		caughtUp: () => void,
	): Promise<void> => {
		let renewedAt = Date.now();
		caughtUp();
		while (!over.aborted) {
			const events = await inbox.takeAll();
			const fresh = events.filter((event) => this.isFresh(event));
			if (fresh.length > 0) this.emit(fresh.map(asItem));
			if (!events.some(isSignOfLife) || Date.now() - renewedAt < timing.renewal) continue;
			await subscription.renew();
			renewedAt = Date.now();
		}
	};

	private isFresh(event: unknown): boolean {
		const hash = isRecord(event) ? event.hash : event;
		if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) return false;
		if (this.emitted.has(hash)) return false;
		this.emitted.add(hash);
		const [oldest = ''] = this.emitted;
		if (this.emitted.size > REMEMBERED) this.emitted.delete(oldest);
		return true;
	}
}

/** A block number, which is too short for a hash: nothing was announced for a while. */
function isSignOfLife(event: unknown): boolean {
	return typeof event === 'string' && /^0x[0-9a-f]{1,63}$/i.test(event);
}

/** Some nodes send whole transactions. */
function asItem(event: unknown): ChainObject {
	return isRecord(event) ? event : { result: event };
}
