import type { RpcReader } from '../../chain/reader';
import { RequestFailure } from '../../errors/requestFailure';
import { checksumAddress } from '../address';
import { isUsed } from '../nonceUse';
import { readVerifiedTransaction, type VerifiedTransaction } from '../verifiedTransaction';
import { formatDataSent } from './coins';
import type { Intent, PlannedIntent } from './intent';
import { raise } from '../../errors/raise';

/** Plans the replacement of a pending transaction: the same effects at a higher price, or a cancellation. */
export function planReplacement(
	hash: string,
	by: 'cancel' | 'speedUp',
	from: string,
): PlannedIntent {
	return async (reader) => {
		const waiting = await readWaiting(reader, hash, from);
		return by === 'cancel' ? buildCancellation(hash, waiting) : buildRepetition(hash, waiting);
	};
}

function buildCancellation(
	hash: string,
	{ from, nonce, price, chainId, accessList }: VerifiedTransaction,
) {
	const sentence = `Send nothing to ${checksumAddress(from)} itself, which cancels the transaction ${hash},`;
	const kept = accessList && 'gasPrice' in price ? [] : undefined;
	const replaces = { chainId, nonce, price, accessList: kept };
	return { sentence, to: from, value: 0n, data: '0x', replaces } satisfies Intent;
}

function buildRepetition(hash: string, waiting: VerifiedTransaction): Intent {
	const { to, value, data, ...replaces } = waiting;
	const sentence = `${formatDataSent(to, value, data)} in place of the transaction ${hash}`;
	return { sentence, to, value, data, replaces };
}

/** Reads a pending transaction of the given account. */
async function readWaiting(
	reader: RpcReader,
	hash: string,
	from: string,
): Promise<VerifiedTransaction> {
	const found = await readVerifiedTransaction(reader, hash);
	if (!found) throw unknownError(hash);
	if (found.block !== undefined) throw minedError(hash, found.block);
	const { transaction } = found;
	if (transaction.from.toLowerCase() !== from.toLowerCase()) throw otherAccountError(transaction);
	const { nonce } = transaction;
	return (await isUsed(reader, { from, nonce }, 'latest'))
		? raise(replacedError(nonce))
		: transaction;
}

function unknownError(hash: string): RequestFailure {
	return new RequestFailure(`The chain node does not know the transaction ${hash}`, {
		description:
			'The transaction was not sent to this chain, or the chain node has dropped it. If another chain node still has it, use that chain node. Otherwise send the same signed transaction again.',
	});
}

function minedError(hash: string, block: bigint): RequestFailure {
	return new RequestFailure(`The transaction ${hash} is in block ${block} already`, {
		description: 'A transaction in a block has been carried out and can no longer be replaced.',
	});
}

function otherAccountError({ from }: VerifiedTransaction): RequestFailure {
	return new RequestFailure(
		`The transaction was sent by another account: ${checksumAddress(from)}`,
		{
			description:
				"Only the account that sent the transaction can replace it. Set 'From' to that account.",
		},
	);
}

function replacedError(nonce: bigint): RequestFailure {
	return new RequestFailure(
		`Another transaction with the same number (nonce) ${nonce} is in a block already`,
		{
			description:
				'The transaction that you want to replace will never be carried out: an account has only one transaction with each number.',
		},
	);
}
