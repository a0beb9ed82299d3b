import { RequestFailure } from '../../core/errors/requestFailure';
import type { ApiPath } from '../../core/operation/path';
import { formatFelt } from '../../core/stark/felts';
import { FEE_DECIMALS } from '../../core/stark/tokens';
import { Turns } from '../../core/net/pacing/turns';
import type { Chain } from '../../core/protocols/rpc/operation';
import { formatUnits } from '../../core/values/units';

/** An account pays this in the token of the fees. */
interface Payment {
	readonly from: bigint;
	/** The highest fee, with what is paid in the same token. */
	readonly cost: bigint;
	/** The account's balance; null where it is unknown. */
	readonly balance: bigint | null;
}

/** An item's place in the order of the items. */
interface NonceReservation {
	/** The nonce, once all items before have theirs or have failed. Refused where the funds do not cover all of them. */
	use(payment: Payment): Promise<bigint>;
	/** Gives the place up: where it was not used, the nonce goes to the next item. */
	release(): void;
}

/** An account between two of its transactions. */
interface AccountState {
	readonly nonce: bigint;
	/** The sum that the items before spend. */
	readonly spent: bigint;
}

const createAccounts = () => new Map<string, Turns<AccountState>>();

interface NonceOwner {
	readonly from: bigint;
	/** Different paths may lead to different chains. */
	readonly path: ApiPath;
	/** The nonce that the user gave. */
	readonly fixed: bigint | undefined;
	/** The next nonce of the account. */
	readonly reading: Promise<bigint>;
}

/** The next place among the items of an account, which has to be reserved before an item waits for anything. */
export function reserveNonce(
	chain: Chain,
	{ from, path, fixed, reading }: NonceOwner,
): NonceReservation {
	if (fixed !== undefined) return useFixedNonce(fixed);
	const accounts = chain.shared(createAccounts);
	const key = JSON.stringify([path, formatFelt(from)]);
	const turns =
		accounts.get(key) ?? new Turns<AccountState>(reading.then((nonce) => ({ nonce, spent: 0n })));
	accounts.set(key, turns);
	const { take, release } = turns.reserve();
	return {
		use: async (payment) =>
			await take(({ nonce, spent }) => {
				throwIfShort(payment, spent);
				return { next: { nonce: nonce + 1n, spent: spent + payment.cost }, result: nonce };
			}),
		release,
	};
}

/** A transaction with a given nonce may replace another one, and does not move the nonces of other items. */
function useFixedNonce(nonce: bigint): NonceReservation {
	return {
		use: async (payment) => {
			throwIfShort(payment, 0n);
			return await Promise.resolve(nonce);
		},
		release: () => {},
	};
}

/** The chain refuses what its account could not pay in the worst case. */
function throwIfShort({ from, balance, cost }: Payment, spent: bigint): void {
	if (balance === null || balance >= spent + cost) return;
	const before = spent > 0n ? 'with what the items before it need, ' : '';
	throw new RequestFailure(
		`The funds do not suffice: ${before}${formatFee(spent + cost)} STRK are needed, ${formatFee(balance)} are there`,
		{
			description: `Needed is the highest fee, with what is paid in the same token; there is the balance of ${formatFelt(from)}.`,
		},
	);
}

function formatFee(amount: bigint): string {
	return formatUnits(amount, FEE_DECIMALS);
}
