import type { PatientRestReader } from '../chain/reader';
import { waitUntil } from '../chain/waiting';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { NANOCOIN_DECIMALS, formatUnits } from '../values/units';
import { formatSeconds } from './answer';
import { formatFirstFailure, MessageTree, type FoundTransaction } from './messageTree';
import { raise } from '../errors/raise';

/**
 * Waits until a message and all messages that it causes are carried out. Returns the outcome, even if it is a
 * failure.
 */
export async function waitForMessage(reader: PatientRestReader, hash: string, seconds: number) {
	const tree = new MessageTree(hash);
	const end = await waitUntil(reader, {
		seconds,
		initial: false,
		read: async () => await tree.readOn(reader),
		isDone: (isWhole): isWhole is true => isWhole,
	});
	return end.isDone ? formatOutcome(tree, hash) : raise(notWholeError(seconds, tree, end.failure));
}

/** Formats the outcome of a message. The fee is the sum for all transactions. */
function formatOutcome(tree: MessageTree, wanted: string) {
	const { root, transactions } = tree;
	if (!root)
		throw new RequestFailure(
			'The service no longer shows the transaction that the sent message caused',
			{
				description: 'Run the item again in a moment.',
			},
		);
	const { hash, incoming, outcome, time, lt } = root.transaction;
	const reason = formatFirstFailure(tree);
	return {
		messageHash: incoming?.normalizedHash ?? wanted,
		transactionHash: hash,
		success: reason === null,
		exitCode: outcome.exitCode,
		fee: formatUnits(sumFees(transactions), NANOCOIN_DECIMALS),
		timestamp: formatSeconds(time),
		lt: String(lt),
		reason,
	};
}

export function sumFees(transactions: readonly FoundTransaction[]): bigint {
	return transactions.reduce((sum, { transaction }) => sum + transaction.fee, 0n);
}

function notWholeError(
	seconds: number,
	tree: MessageTree,
	failure: RequestFailure | undefined,
): RequestFailure {
	const { root, transactions } = tree;
	const time = `after ${seconds} s`;
	if (failure) return withAdvice(failure, `The transfer was not complete ${time}.`);
	if (!root) {
		return new RequestFailure(`The message is not in a block ${time}`, {
			description:
				'The message was not sent to this chain, has expired, or waits for a block. Until it expires, send the same message again. Prepare another message only after it has expired: otherwise a payment may be made twice.',
		});
	}
	const reason = formatFirstFailure(tree);
	return new RequestFailure(
		`The wallet has sent the transfer, but not all of it is carried out ${time}`,
		{
			description: `Transactions of the transfer that are on the chain so far: ${transactions.length}.${reason === null ? '' : ` One of them failed. ${reason}.`} Wait again, or raise 'Wait For' to wait longer. Do not pay again meanwhile.`,
		},
	);
}
