import type { SignedTransaction } from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import type { PreparedRequest } from '../core/prepared';
import { takeSigned } from './behindSignature';
import type { ReadyDeposit, Sweeping } from './sweeping';

/** A transaction that the account of the key is to send for an address. */
export interface ReadyTransaction {
	readonly deposit: ReadyDeposit;
	readonly signing: PreparedRequest;
}

/** Asks the rules of the paying key about all requests before the first of them is signed. */
export async function checkPayer(
	{ context }: Sweeping,
	requests: readonly PreparedRequest[],
	what: string,
): Promise<void> {
	for (const [count, given] of requests.entries()) {
		await context.call({ signing: { kind: 'check', given } }).catch((failure) => {
			throw failure instanceof RuleRefusal && failure.rule === 'dailyTransactions'
				? tooManyError(failure, `${requests.length} ${what}, and today the rules allow ${count}`)
				: failure;
		});
	}
}

function tooManyError({ message, description, rule }: RuleRefusal, needed: string) {
	return new RuleRefusal(`${message}. The sweep needs ${needed} of them`, description ?? '', rule);
}

interface SignedByPayer {
	readonly signed: ReadonlyMap<ReadyDeposit, SignedTransaction>;
	/** The error because of which the remaining transactions are not signed. */
	readonly failure?: unknown;
}

/**
 * Signs the transactions in the order of their numbers. Stops at the first that cannot be signed, because a missing number would block all
 * later transactions.
 */
export async function signForPayer(
	{ context, family }: Sweeping,
	transactions: readonly ReadyTransaction[],
): Promise<SignedByPayer> {
	const signed = new Map<ReadyDeposit, SignedTransaction>();
	try {
		for (const { deposit, signing } of transactions) {
			const answer = await context.call({ signing });
			const given = answer as Readonly<Record<string, unknown>>;
			signed.set(deposit, takeSigned(family, given));
		}
		return { signed };
	} catch (failure) {
		return { signed, failure };
	}
}
