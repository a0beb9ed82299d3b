import { RequestFailure } from '../errors/requestFailure';
import { markHandled } from '../net/pacing/concurrency';
import { readByAny } from '../net/pacing/shared';

/** What is read of an account before it pays. */
interface PayingAccount {
	/** The number of its next transaction. */
	readonly next: bigint;
}

/** What a transaction takes of one asset. */
export interface Cost {
	/** The coin of the chain, if it has no name. */
	readonly asset?: string;
	readonly amount: bigint;
	/** The account's balance before all items; undefined if it is unknown or does not matter. */
	readonly balance: bigint | undefined;
	/** Takes the whole rest, which must be at least the amount. */
	readonly takesAll?: boolean;
	/** Throws an error that explains which amount is missing. */
	throwShort(earlier: EarlierSpending): never;
}

/** What the previous items take from the same account. */
export interface EarlierSpending {
	/** How much of the same asset. */
	readonly spent: bigint;
	/** How many transactions. */
	readonly count: number;
}

/** An error: the account cannot pay for this transaction and those before it in the same run. */
export interface Shortage {
	readonly needed: bigint;
	readonly balance: bigint;
	/** Formats an amount with its unit. */
	format(amount: bigint): string;
	/** Describes the parts of the costs, and whose balance must cover them. */
	readonly description: string;
}

/** The items before are mentioned if the account could pay for this item alone. */
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
	/** The number of the transaction among those of its account: its nonce. */
	readonly number: bigint;
	/** How much the transaction takes of each asset. */
	readonly amounts: readonly bigint[];
}

/** An item's place in the order of the items. */
export interface Place<Account> {
	readonly account: Promise<Account>;
	/**
	 * Takes the number and the costs, once all earlier items have taken theirs or have failed. If the funds are not
	 * sufficient, nothing is taken.
	 */
	take(costs: readonly Cost[]): Promise<Taken>;
	/** Gives the place up. If nothing was taken, the next item gets the number. */
	release(): void;
}

/** The state of an account between two of its transactions. */
interface Balance {
	readonly number: bigint;
	readonly count: number;
	readonly spent: ReadonlyMap<string, bigint>;
}

/**
 * The purse of an account in one run: consecutive numbers in the order of the items, however long each of them takes, and
 * funds for all together. An item that fails takes neither.
 */
export class Purse<Account extends PayingAccount> {
	/** The balance that the next item will find, once all earlier items have taken theirs or have given up. */
	private balance: Promise<Balance>;

	constructor(
		private readonly account: Promise<Account>,
		/** Each item reads the state of the account after the previous items. */
		readonly readers: Array<() => Promise<Account>> = [],
	) {
		const spent = new Map<string, bigint>();
		this.balance = account.then(({ next: number }) => ({ number, count: 0, spent }));
		markHandled(this.balance);
	}

	/** An operation calls this when it reserves, before it awaits anything: so the places are in the order of the items. */
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

/** Nothing changes if a cost throws. */
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
 * Reserves the place of a transaction whose number the user gave. It may replace another transaction, and does not change
 * the numbers of the items.
 */
export function reserveFixedPlace<Account extends PayingAccount>(
	account: Promise<Account>,
): Place<Account> {
	return new Purse(account).reserve();
}

/** Reserves the next place of an account, whose state is read once. */
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
