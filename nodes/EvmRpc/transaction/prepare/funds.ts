import { RequestFailure } from '../../../core/errors/requestFailure';
import { ETHER_DECIMALS, formatUnits } from '../../../core/values/units';

/** What an account pays, in wei. */
export interface Payment {
	readonly from: string;
	/** The amount, with the highest fee. */
	readonly cost: bigint;
	/** What the account holds; undefined where that does not matter. */
	readonly balance: bigint | undefined;
}

/** What the items before pay from the same account, and how many they are. */
interface EarlierPayments {
	readonly spent: bigint;
	readonly count: number;
}

const NO_EARLIER_PAYMENTS: EarlierPayments = { spent: 0n, count: 0 };

/** Nodes keep no transactions of an account whose highest costs exceed its balance together. */
export function checkFunds(
	{ from, balance, cost }: Payment,
	{ spent, count }: EarlierPayments = NO_EARLIER_PAYMENTS,
): void {
	if (balance === undefined || balance >= spent + cost) return;
	if (count === 0 || balance < cost) {
		return throwInsufficientFunds(from, balance, `${formatEther(cost)} coins are needed`);
	}
	const others = count === 1 ? 'transaction' : `${count} transactions`;
	const needed = `with the ${others} before it, ${formatEther(spent + cost)} coins are needed`;
	return throwInsufficientFunds(from, balance, needed);
}

/** The same before the cost is known: the fee comes on top of the amount. */
export function checkAmount(from: string, balance: bigint, amount: bigint): void {
	if (balance >= amount) return;
	throwInsufficientFunds(from, balance, `${formatEther(amount)} coins and the fee are needed`);
}

function throwInsufficientFunds(from: string, balance: bigint, needed: string): never {
	throw new RequestFailure(
		`The funds do not suffice: ${needed}, ${formatEther(balance)} are there`,
		{
			description: `Needed is each amount with its highest fee; there is the balance of ${from}.`,
		},
	);
}

function formatEther(wei: bigint): string {
	return formatUnits(wei, ETHER_DECIMALS);
}
