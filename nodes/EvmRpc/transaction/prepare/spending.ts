import { quantityParser } from '../../../core/evm/objects';
import { RequestFailure } from '../../../core/errors/requestFailure';
import type { ApiPath } from '../../../core/operation/path';
import { throwInvalidResponse } from '../../../core/transport/responses/response';
import { Turns } from '../../../core/transport/pacing/turns';
import type { Chain } from '../../../core/transport/rpc/chain';
import { MAX_NONCE } from '../../../core/evm/transactions/unsigned';
import { formatUnits, ETHER_DECIMALS } from '../../../core/values/numbers';

/** What an account pays for, in wei. */
export interface Payment {
	readonly from: string;
	/** With the highest fee. */
	readonly cost: bigint;
	/** What the account holds; undefined where that does not matter. */
	readonly balance: bigint | undefined;
}

interface Taken {
	readonly nonce: bigint;
	/** How many transactions of the account come before it that are in no block; undefined where nobody has counted them. */
	readonly waiting: bigint | undefined;
}

/** Keeps an item's place in the order of the items. */
interface NonceReservation {
	/** The nonce, once all items before have theirs or have failed. Refused where the funds do not cover all of them. */
	use(payment: Payment): Promise<Taken>;
	/** Without having taken one: the nonce goes to the next item. */
	release(): void;
}

/** An account between two of its transactions. */
interface AccountState {
	readonly nonce: bigint;
	/** How many of its transactions are in blocks. */
	readonly mined: bigint;
	/** By those before. */
	readonly spent: bigint;
	readonly count: number;
}

/** What accounts spend in one run: consecutive nonces, and funds for all together. */
class AccountNonces {
	private readonly turns: Turns<AccountState>;

	constructor(counts: Promise<Counts>) {
		this.turns = new Turns(
			counts.then(({ mined, all }) => ({ nonce: all, mined, spent: 0n, count: 0 })),
		);
	}

	/** To be called before an item waits for anything. */
	reserve(): NonceReservation {
		const { take, release } = this.turns.reserve();
		return {
			use: async (payment) =>
				await take((turn) => {
					const { nonce, mined, spent, count } = turn;
					checkFunds(payment, turn);
					const next = { nonce: nonce + 1n, mined, spent: spent + payment.cost, count: count + 1 };
					return { next, result: { nonce, waiting: nonce - mined } };
				}),
			release,
		};
	}
}

const createAccounts = () => new Map<string, AccountNonces>();

/** A place among the items with this account at this path. */
export function reserveNonce(chain: Chain, from: string, path: ApiPath): NonceReservation {
	const known = chain.shared(createAccounts);
	const key = JSON.stringify([path, from.toLowerCase()]);
	const spending = known.get(key) ?? new AccountNonces(readCounts(chain, from));
	known.set(key, spending);
	return spending.reserve();
}

/** Of an item whose nonce the user gave: it may replace another one, and does not move the others. */
export function useFixedNonce(nonce: bigint): NonceReservation {
	return {
		use: async (payment) => {
			checkFunds(payment);
			return { nonce, waiting: undefined };
		},
		release: () => {},
	};
}

/** How many transactions an account has in blocks, and with those that wait for one. */
interface Counts {
	readonly mined: bigint;
	readonly all: bigint;
}

async function readCounts(chain: Chain, from: string): Promise<Counts> {
	// In this order: what gets into a block in between makes them no contradiction.
	const [mined, all] = await Promise.all([
		readCount(chain, from, 'latest'),
		readCount(chain, from, 'pending'),
	]);
	return all >= mined ? { mined, all } : throwContradiction(from, { mined, all });
}

/** A nonce that is used up already would be signed for nothing. */
function throwContradiction(from: string, { mined, all }: Counts): never {
	throw new RequestFailure(
		`The node contradicts itself: ${from} has ${mined} transactions in blocks, and ${all} with those that wait`,
		{
			description:
				'Nothing was prepared. The node is behind its chain, or may not be trusted: run it again in a moment, or ask another one.',
		},
	);
}

async function readCount(chain: Chain, from: string, block: string): Promise<bigint> {
	const told = await chain.call('eth_getTransactionCount', [from, block]);
	const count = quantityParser('a transaction count')(told);
	return count <= MAX_NONCE ? count : throwInvalidResponse('a transaction count', told);
}

type Before = Pick<AccountState, 'spent' | 'count'>;
const NO_EARLIER_PAYMENTS: Before = { spent: 0n, count: 0 };

/** Nodes keep no transactions of an account whose highest costs exceed its balance together. */
function checkFunds(
	{ from, balance: held, cost }: Payment,
	{ spent, count }: Before = NO_EARLIER_PAYMENTS,
): void {
	if (held === undefined || held >= spent + cost) return;
	if (count === 0 || held < cost)
		return throwInsufficientFunds(from, held, `${formatEther(cost)} coins are needed`);
	const others = count === 1 ? 'transaction' : `${count} transactions`;
	const needed = `with the ${others} before it, ${formatEther(spent + cost)} coins are needed`;
	return throwInsufficientFunds(from, held, needed);
}

/** Before it is known what the transaction costs. */
export function checkAmount(from: string, held: bigint, amount: bigint): void {
	if (held < amount)
		return throwInsufficientFunds(
			from,
			held,
			`${formatEther(amount)} coins and the fee are needed`,
		);
}

function throwInsufficientFunds(from: string, held: bigint, needed: string): never {
	throw new RequestFailure(`The funds do not suffice: ${needed}, ${formatEther(held)} are there`, {
		description: `Needed is each amount with its highest fee; there is the balance of ${from}.`,
	});
}

function formatEther(wei: bigint): string {
	return formatUnits(wei, ETHER_DECIMALS);
}
