import { RequestFailure } from '../../../core/errors/requestFailure';
import { checksumAddress } from '../../../core/evm/address';
import { isUsed } from '../../../core/evm/nonceUse';
import { readSentTransaction, type SentTransaction } from '../../../core/evm/sentTransaction';
import type { Field } from '../../../core/operation/field';
import type { Chain } from '../../../core/protocols/rpc/operation';
import { transactionHash } from '../fields';
import { formatDataSent } from './calls';
import { transactionKind, type Intent } from './transactionKind';

const replaceBy = {
	displayName: 'Replace By',
	name: 'replaceBy',
	type: 'options',
	default: 'speedUp',
	description: 'What takes the place of the transaction that waits',
	options: [
		{ name: 'Cancel', value: 'cancel', description: 'Nothing, sent to the account itself' },
		{ name: 'Speed Up', value: 'speedUp', description: 'The same at a higher price' },
	],
} as const satisfies Field;

const waitingHash = {
	...transactionHash,
	description: 'The hash of the transaction that waits: 0x and 64 hex digits',
} as const satisfies Field;

export const replacement = transactionKind({
	name: 'Replacement',
	description: 'Speed up or cancel a transaction that is stuck',
	fields: [waitingHash, replaceBy],
	intent: (p, { from }) => {
		const { transactionHash: hash, replaceBy: by } = p;
		return async (chain) => {
			const waiting = await readWaiting(chain, hash, from);
			return by === 'cancel' ? buildCancellation(hash, waiting) : buildRepetition(hash, waiting);
		};
	},
});

function buildCancellation(
	hash: string,
	{ from, nonce, price, chainId, accessList }: SentTransaction,
) {
	const says = `Send nothing to ${checksumAddress(from)} itself, which cancels the transaction ${hash},`;
	const kept = accessList && 'gasPrice' in price ? [] : undefined;
	const replaces = { chainId, nonce, price, accessList: kept };
	return { says, to: from, value: 0n, data: '0x', replaces } satisfies Intent;
}

function buildRepetition(hash: string, waiting: SentTransaction): Intent {
	const { to, value, data, ...replaces } = waiting;
	const says = `${formatDataSent(to, value, data)} in place of the transaction ${hash}`;
	return { says, to, value, data, replaces };
}

/** Reads a transaction of this account that is in no block yet. */
async function readWaiting(chain: Chain, hash: string, from: string): Promise<SentTransaction> {
	const found = await readSentTransaction(chain, hash);
	if (!found) return throwUnknown(hash);
	if (found.block !== undefined) return throwMined(hash, found.block);
	const { transaction } = found;
	if (transaction.from.toLowerCase() !== from.toLowerCase()) return throwOtherAccount(transaction);
	const { nonce } = transaction;
	return (await isUsed(chain, { from, nonce }, 'latest')) ? throwReplaced(nonce) : transaction;
}

function throwUnknown(hash: string): never {
	throw new RequestFailure(`The node does not know the transaction ${hash}`, {
		description:
			'It was not sent to this chain, or the node has dropped it. Where another node still has it, ask that one; otherwise send the same signed transaction again.',
	});
}

function throwMined(hash: string, block: bigint): never {
	throw new RequestFailure(`The transaction ${hash} is in block ${block} already`, {
		description: 'What is in a block is carried out, and nothing can take its place.',
	});
}

function throwOtherAccount({ from }: SentTransaction): never {
	throw new RequestFailure(`The transaction is of another account: ${checksumAddress(from)}`, {
		description: "Only the account that sent it can replace it. Set 'From' to that account.",
	});
}

function throwReplaced(nonce: bigint): never {
	throw new RequestFailure(`Another transaction with the nonce ${nonce} is in a block already`, {
		description: 'It has taken the place of this one, which is never carried out.',
	});
}
