import { nullIfRefused } from '../chain/blocks';
import type { RestCaller } from '../chain/reader';
import { mapInParallel } from '../net/pacing/concurrency';
import { isRecord } from '../values/parse';
import { throwIfError } from './answers';
import { parseHashPart } from './blockParts';
import { parseChecked } from './blocks';
import { parseListedTransaction, type ListedTransaction } from './blockTransactions';

/** At most this many pending transactions of all accounts are read. If there are more, the latest are read. */
const MAX_WAITING = 100;
export const READ_CONCURRENCY = 20;

/** Reads the pending transactions of all accounts, as far as the node shows them. */
export async function readWaitingTransactions(
	reader: RestCaller,
): Promise<readonly ListedTransaction[]> {
	const answer = await askWallet(reader, 'gettransactionlistfrompending', {});
	const list: readonly unknown[] =
		isRecord(answer) && Array.isArray(answer.txId) ? answer.txId.slice(-MAX_WAITING) : [];
	const found = await mapInParallel(list.length, READ_CONCURRENCY, async (index) => {
		const value = parseChecked(list[index], 'the transactions that wait', (id) =>
			parseHashPart(id, 'txId'),
		);
		const transaction = await askWallet(reader, 'gettransactionfrompending', { value });
		const isThere = isRecord(transaction) && transaction.txID !== undefined;
		return isThere
			? parseChecked(transaction, 'a transaction that waits', () =>
					parseListedTransaction(transaction),
				)
			: undefined;
	});
	return found.filter((one) => one !== undefined);
}

/** Calls a method below `/wallet`, which shows blocks up to the newest. Returns null if the node refuses. */
export async function askWallet(
	{ call }: RestCaller,
	method: string,
	body: object,
): Promise<unknown> {
	const answer = call({ path: `/wallet/${method}`, body }).then(throwIfError);
	return await answer.catch(nullIfRefused);
}
