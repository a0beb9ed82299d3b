import { exactQuantity } from '../../core/chain/objects';
import type { ApiPath } from '../../core/operation/path';
import type { Chain } from '../../core/rpc/chain';

/** Keeps an item's place in the order of the items. */
interface Place {
	/** The next nonce, once all items before have theirs or have failed. */
	take(): Promise<bigint>;
	/** Without having taken one: the nonce goes to the next item. */
	leave(): void;
}

/**
 * The nonces of an account in one run: consecutive in the order of the items, however long each of them takes, and
 * none for an item that fails.
 */
class Nonces {
	constructor(private next: Promise<bigint>) {
		ignoreFailure(next);
	}

	/** To be called before an item waits for anything. */
	place(): Place {
		const before = this.next;
		let settle: (next: bigint | Promise<bigint>) => void = () => {};
		this.next = new Promise((resolve) => (settle = resolve));
		ignoreFailure(this.next);
		return {
			take: async () => {
				const nonce = await before;
				settle(nonce + 1n);
				return nonce;
			},
			leave: () => settle(before),
		};
	}
}

/** Whoever takes a nonce meets it. */
function ignoreFailure(promise: Promise<unknown>): void {
	promise.catch(() => {});
}

const accounts = () => new Map<string, Nonces>();

/** A place among the items with this account at this path. */
export function placeOf(chain: Chain, from: string, path: ApiPath): Place {
	const known = chain.memory(accounts);
	const key = JSON.stringify([path, from.toLowerCase()]);
	const nonces = known.get(key) ?? new Nonces(pendingCount(chain, from));
	known.set(key, nonces);
	return nonces.place();
}

/** Of an item whose nonce the user gave: it does not move the others. */
export function fixedPlace(nonce: bigint): Place {
	return { take: async () => nonce, leave: () => {} };
}

async function pendingCount(chain: Chain, from: string): Promise<bigint> {
	const count = await chain.call('eth_getTransactionCount', [from, 'pending']);
	return exactQuantity('a transaction count')(count);
}
