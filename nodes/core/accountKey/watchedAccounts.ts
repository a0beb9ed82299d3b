import { sleep } from 'n8n-workflow';
import type { AccountKey } from './accountKey';
import { ADDRESSES_PER_SLICE, openAccountKey } from './derive';

/** A range of addresses of one key, with consecutive indexes. */
export interface AccountRange {
	readonly key: AccountKey;
	readonly firstIndex: number;
	readonly count: number;
}

/** The accounts of a range, as 40 hex digits in lower case. The list is empty until `derive` has run. */
export interface WatchedAccounts {
	readonly count: number;
	/** Derives the accounts, or waits until they are derived. n8n can do other work in the meantime. */
	derive(): Promise<void>;
	/** Returns the index of an account; undefined for an account that is not watched. */
	findIndex(account: string): number | undefined;
	list(): readonly string[];
}

/**
 * The derived accounts, kept in memory, because each poll of 100,000 accounts would take 15 seconds to derive them
 * again. Every process of n8n derives the same accounts from the key. 100,000 accounts take 9 MB.
 */
const kept = new Map<string, DerivedAccounts>();

export function watchAccounts({ key, firstIndex, count }: AccountRange): WatchedAccounts {
	const name = `${key.text} ${firstIndex}`;
	const known = kept.get(name);
	if (!known) forgetUnused();
	const accounts = known ?? new DerivedAccounts(key, firstIndex);
	kept.set(name, accounts);
	accounts.usedAt = Date.now();
	const end = firstIndex + count;
	return {
		count,
		derive: async () => await accounts.derive(count),
		findIndex: (account) => {
			const index = accounts.indexes.get(account);
			return index !== undefined && index < end ? index : undefined;
		},
		list: () => [...accounts.indexes].flatMap(([account, index]) => (index < end ? [account] : [])),
	};
}

/** Polls may be days apart. */
const MAX_UNUSED_MS = 8 * 86_400_000;

/** Forgets ranges that were not used for a long time, such as those of inactive workflows. */
function forgetUnused(): void {
	const now = Date.now();
	for (const [name, { usedAt }] of kept) if (now - usedAt > MAX_UNUSED_MS) kept.delete(name);
}

class DerivedAccounts {
	readonly indexes = new Map<string, number>();
	usedAt = 0;
	private derived = 0;
	private work: Promise<void> = Promise.resolve();

	constructor(
		private readonly key: AccountKey,
		private readonly firstIndex: number,
	) {}

	/**
	 * Derives as many accounts as requested. Calls run one after another, and each call continues after the last
	 * derived index.
	 */
	async derive(count: number): Promise<void> {
		if (count <= this.derived) return;
		this.work = this.work.then(async () => await this.deriveUpTo(count));
		await this.work;
	}

	private async deriveUpTo(count: number): Promise<void> {
		const derive = await openAccountKey(this.key);
		while (this.derived < count) {
			const size = Math.min(ADDRESSES_PER_SLICE, count - this.derived);
			const first = this.firstIndex + this.derived;
			const accounts = derive(Array.from({ length: size }, (_, place) => first + place));
			for (const [place, account] of accounts.entries()) {
				if (account !== undefined) this.indexes.set(account, first + place);
			}
			this.derived += size;
			await sleep(0);
		}
	}
}
