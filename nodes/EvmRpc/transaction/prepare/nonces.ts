import { quantityParser } from '../../../core/evm/objects';
import { RequestFailure } from '../../../core/errors/requestFailure';
import type { ApiPath } from '../../../core/operation/path';
import { Turns } from '../../../core/net/pacing/turns';
import { throwInvalidResponse } from '../../../core/net/responses/response';
import type { Chain } from '../../../core/protocols/rpc/operation';
import { MAX_NONCE } from '../../../core/evm/transactions/unsigned';
import { checkFunds, type Payment } from './funds';

interface AssignedNonce {
	readonly nonce: bigint;
	/** How many transactions of the account come before it that are in no block; undefined where nobody has counted them. */
	readonly waiting: bigint | undefined;
}

/** An item's place in the order of the items. */
export interface NonceReservation {
	/** The nonce, once all items before have theirs or have failed. Refused where the funds do not cover all of them. */
	use(payment: Payment): Promise<AssignedNonce>;
	/** Gives the place up: where it was not used, the nonce goes to the next item. */
	release(): void;
}

/** An account between two of its transactions. */
interface AccountState {
	readonly nonce: bigint;
	/** How many of its transactions are in blocks. */
	readonly mined: bigint;
	/** What the items before spend, and how many they are. */
	readonly spent: bigint;
	readonly count: number;
}

/**
 * The nonces of an account in one run: consecutive in the order of the items, however long each of them takes, and with
 * funds for all together. An item that fails takes neither.
 */
class AccountNonces {
	private readonly turns: Turns<AccountState>;

	constructor(counts: Promise<TransactionCounts>) {
		this.turns = new Turns(
			counts.then(({ mined, all }) => ({ nonce: all, mined, spent: 0n, count: 0 })),
		);
	}

	reserve(): NonceReservation {
		const { take, release } = this.turns.reserve();
		return {
			use: async (payment) =>
				await take((state) => {
					const { nonce, mined, spent, count } = state;
					checkFunds(payment, state);
					const next = { nonce: nonce + 1n, mined, spent: spent + payment.cost, count: count + 1 };
					return { next, result: { nonce, waiting: nonce - mined } };
				}),
			release,
		};
	}
}

const createAccounts = () => new Map<string, AccountNonces>();

interface NonceOwner {
	readonly from: string;
	/** Different paths may lead to different chains. */
	readonly path: ApiPath;
	/** The nonce that the user gave. */
	readonly fixed: bigint | undefined;
}

/** The next place among the items of an account, which has to be reserved before an item waits for anything. */
export function reserveNonce(chain: Chain, { from, path, fixed }: NonceOwner): NonceReservation {
	if (fixed !== undefined) return useFixedNonce(fixed);
	const accounts = chain.shared(createAccounts);
	const key = JSON.stringify([path, from.toLowerCase()]);
	const nonces = accounts.get(key) ?? new AccountNonces(readTransactionCounts(chain, from));
	accounts.set(key, nonces);
	return nonces.reserve();
}

/** It may replace another transaction, and does not move the nonces of other items. */
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
interface TransactionCounts {
	readonly mined: bigint;
	readonly all: bigint;
}

async function readTransactionCounts(chain: Chain, from: string): Promise<TransactionCounts> {
	// In this order: what gets into a block in between makes them no contradiction.
	const [mined, all] = await Promise.all([
		readTransactionCount(chain, from, 'latest'),
		readTransactionCount(chain, from, 'pending'),
	]);
	return all >= mined ? { mined, all } : throwContradiction(from, { mined, all });
}

/** A nonce that is used up already would be signed for nothing. */
function throwContradiction(from: string, { mined, all }: TransactionCounts): never {
	throw new RequestFailure(
		`The node contradicts itself: ${from} has ${mined} transactions in blocks, and ${all} with those that wait`,
		{
			description:
				'Nothing was prepared. The node is behind its chain, or may not be trusted: run it again in a moment, or ask another one.',
		},
	);
}

async function readTransactionCount(chain: Chain, from: string, block: string): Promise<bigint> {
	const answer = await chain.call('eth_getTransactionCount', [from, block]);
	const count = quantityParser('a transaction count')(answer);
	return count <= MAX_NONCE ? count : throwInvalidResponse('a transaction count', answer);
}
