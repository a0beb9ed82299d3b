import type { RestReader } from '../chain/reader';
import { readTransactions } from './accountTransactions';
import type { TonAccount } from './address';
import type { Cell } from './cell';
import { guessWalletType } from './signedBody';
import { readTransferPlace } from './signedTransfer';
import type { TonTransaction } from './transactions';

/** At most this many transactions are searched. If a wallet has more, its newest transactions are searched. */
const SEARCHED_TRANSACTIONS = 500;

/**
 * Finds the transactions in which a wallet accepted a message from outside with this seqno. Only one of them used the
 * seqno. The others failed and left the seqno unchanged.
 */
export async function findSeqnoUses(
	reader: RestReader,
	wallet: TonAccount,
	seqno: number,
): Promise<readonly TonTransaction[]> {
	const found: TonTransaction[] = [];
	let searched = 0;
	for await (const { transaction } of readTransactions(reader, wallet, {}, SEARCHED_TRANSACTIONS)) {
		const used = readSeqno(transaction);
		if (transaction.isFinal && used === seqno) found.push(transaction);
		searched++;
		const isBefore = used !== undefined && used < seqno;
		if (isBefore || searched === SEARCHED_TRANSACTIONS) break;
	}
	return found;
}

/**
 * Reads the sequence number (seqno) that a transaction of the wallet used. Only the owner of the key can get a message from outside into a
 * block.
 */
function readSeqno({ incoming }: TonTransaction): number | undefined {
	if (!incoming?.body || incoming.from) return undefined;
	return readSeqnoOf(incoming.body);
}

function readSeqnoOf(body: Cell): number | undefined {
	return readTransferPlace(guessWalletType(body), body)?.seqno;
}
