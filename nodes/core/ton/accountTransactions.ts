import { RequestFailure } from '../errors/requestFailure';
import { formatTonAddresses, type TonAccount } from './address';
import { parsePage, readApi, type TonService } from './service';
import { readTransaction, type TonTransaction } from './transactions';

/** Unix seconds, both included. */
export interface TimeRange {
	readonly fromTime?: number;
	readonly toTime?: number;
}

export interface ListedTransaction {
	readonly transaction: TonTransaction;
	/** As the service wrote it. */
	readonly json: unknown;
	readonly addressBook: unknown;
}

const MAX_PAGE_ROWS = 500;
/** What the first transaction of an account names as the one before. */
const NO_HASH = '0'.repeat(64);

/**
 * The transactions of an account, the newest first, each once though new ones come meanwhile: a page begins with the last
 * one of the page before. Each names the one before it, so that none can be missing.
 */
export async function* readTransactions(
	service: TonService,
	account: TonAccount,
	{ fromTime, toTime }: TimeRange,
	wanted = Infinity,
): AsyncGenerator<ListedTransaction> {
	const query = {
		account: formatTonAddresses(account).raw,
		start_utime: fromTime,
		end_utime: toTime,
		sort: 'desc',
		// One more, as each page but the first repeats one.
		limit: Math.min(wanted + 1, MAX_PAGE_ROWS),
	};
	let last: TonTransaction | undefined;
	do {
		const answer = await readApi(service, 'transactions', { ...query, end_lt: last?.lt });
		const { rows, addressBook } = parsePage(
			'the transactions of an account',
			'transactions',
			answer,
		);
		let isEmpty = true;
		for (const json of rows) {
			const transaction = readTransaction(json, account);
			if (transaction.hash === last?.hash) continue;
			if (last) requireBefore(last, transaction);
			last = transaction;
			isEmpty = false;
			yield { transaction, json, addressBook };
		}
		if (isEmpty) return;
	} while (last && last.previousHash !== NO_HASH);
}

function requireBefore(last: TonTransaction, next: TonTransaction): void {
	if (next.lt >= last.lt) return throwInconsistent('lt', `below ${last.lt}`, String(next.lt));
	if (last.previousHash !== null && next.hash !== last.previousHash)
		throwInconsistent('hash', `${last.previousHash}, which the one after it names`, next.hash);
}

function throwInconsistent(field: string, wanted: string, given: string): never {
	throw new RequestFailure('The service listed the transactions of the account incompletely', {
		description: `The ${field} of the next one must be ${wanted}; got ${given}. The service may be catching up with the chain: run it again in a moment.`,
	});
}
