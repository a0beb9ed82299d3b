import { RequestFailure } from '../errors/requestFailure';
import { markHandled } from '../net/pacing/concurrency';
import { readByAny } from '../net/pacing/shared';

/** The state of an account that is read before it pays. */
interface PayingAccount {
	/** The nonce of its next transaction. */
	readonly next: bigint;
}

/** The amount of one asset that a transaction costs. */
export interface Cost {
	/** The name of the asset; left out for the coin of the chain. */
	readonly asset?: string;
	readonly amount: bigint;
	/** The account's balance before the run; undefined if it is unknown or does not matter. */
	readonly balance: bigint | undefined;
	/** Whether the transaction takes the whole remaining balance, which must be at least `amount`. */
	readonly takesAll?: boolean;
	/** Throws an error that explains which amount is missing. `earlier` is what the earlier items of the run cost. */
	throwShort(earlier: EarlierSpending): never;
}

/** The costs of earlier items that are paid from the same account. */
export interface EarlierSpending {
	/** How much of the asset earlier items have spent. */
	readonly spent: bigint;
	/** How many transactions. */
	readonly count: number;
}

/** The parts of the error message about an account that cannot pay for all its transactions of the run. */
export interface Shortage {
	readonly needed: bigint;
	readonly balance: bigint;
	/** Formats an amount with its unit. */
	format(amount: bigint): string;
	/** Describes the parts of the costs, and whose balance must cover them. */
	readonly description: string;
}

/**
 * Builds the error for missing funds. Earlier items are mentioned if the account could pay for the present item
 * alone.
 */
export function insufficientFundsError(
	{ needed, balance, format, description }: Shortage,
	{ spent, count }: EarlierSpending,
): RequestFailure {
	const isShortAlone = balance < needed || spent === 0n;
	const others = count === 1 ? 'transaction' : `${count} transactions`;
	const all = isShortAlone
		? format(needed)
		: `with the ${others} before it, ${format(spent + needed)}`;
	return new RequestFailure(
		`The funds do not suffice: ${all} are needed, ${format(balance)} are there`,
		{ description },
	);
}

interface Taken {
	/** The transaction's nonce: its number among the transactions of the account. */
	readonly number: bigint;
	/** The amounts that the transaction takes of each asset. */
	readonly amounts: readonly bigint[];
}

/**
 * The position that an item has reserved among the transactions of its account. Items get their nonces in this order.
 */
export interface Place<Account> {
	readonly account: Promise<Account>;
	/**
	 * Takes the next nonce and the funds for the costs, after all earlier items have finished. If the funds are too
	 * low, nothing is taken.
	 */
	take(costs: readonly Cost[]): Promise<Taken>;
	/** Ends the reservation. A nonce that the item did not use goes to the next item. */
	release(): void;
}

/** The state of an account after the items so far: the next nonce and the total costs. */
interface Balance {
	readonly number: bigint;
	readonly count: number;
	readonly spent: ReadonlyMap<string, bigint>;
}

/**
 * Assigns nonces and funds of an account to the items of a run. The nonces follow the order of the items, even if
 * some items take long. The funds must cover all items together. A failed item uses up neither.
 */
export class Purse<Account extends PayingAccount> {
	/** The state that the next item will find when all earlier items have finished. */
	private balance: Promise<Balance>;

	constructor(
		private readonly account: Promise<Account>,
		/**
		 * Functions that read the account, one for each item. The first whose item is not stopped reads it for all
		 * items.
		 */
		readonly readers: Array<() => Promise<Account>> = [],
	) {
		const spent = new Map<string, bigint>();
		this.balance = account.then(({ next: number }) => ({ number, count: 0, spent }));
		markHandled(this.balance);
	}

	/**
	 * Reserves the next position. Must be called before the operation awaits anything, so that reservations follow the
	 * order of the items.
	 */
	reserve(): Place<Account> {
		const before = this.balance;
		let settle: (next: Balance | Promise<Balance>) => void = () => {};
		this.balance = new Promise((resolve) => (settle = resolve));
		markHandled(this.balance);
		return {
			account: this.account,
			take: async (costs) => {
				const { next, taken } = spend(await before, costs);
				settle(next);
				return taken;
			},
			release: () => settle(before),
		};
	}
}

/**
 * Computes the state of an account after a transaction. The given state is not changed, so that nothing is taken if the
 * funds do not cover a cost.
 */
function spend({ number, count, spent: before }: Balance, costs: readonly Cost[]) {
	const spent = new Map(before);
	const amounts = costs.map((cost) => {
		const { asset = '', balance, takesAll = false } = cost;
		const earlier = { spent: spent.get(asset) ?? 0n, count };
		const left = balance === undefined ? undefined : balance - earlier.spent;
		if (left !== undefined && left < cost.amount) cost.throwShort(earlier);
		const amount = takesAll && left !== undefined ? left : cost.amount;
		spent.set(asset, earlier.spent + amount);
		return amount;
	});
	return { next: { number: number + 1n, count: count + 1, spent }, taken: { number, amounts } };
}

/**
 * Reserves a position for a transaction whose nonce the user entered. It may replace another transaction, and does
 * not affect the nonces of other items.
 */
export function reserveFixedPlace<Account extends PayingAccount>(
	account: Promise<Account>,
): Place<Account> {
	return new Purse(account).reserve();
}

/** Reserves the next position among the transactions of an account. The account's state is read once in a run. */
export function reservePlace<Account extends PayingAccount>(
	purses: Map<string, Purse<Account>>,
	account: string,
	read: () => Promise<Account>,
): Place<Account> {
	const known = purses.get(account);
	known?.readers.push(read);
	const purse = known ?? openPurse(read);
	purses.set(account, purse);
	return purse.reserve();
}

function openPurse<Account extends PayingAccount>(read: () => Promise<Account>): Purse<Account> {
	const readers = [read];
	return new Purse(readByAny(readers), readers);
}
