import { RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { waitFor } from '../../core/operation/sharedFields';
import { formatSeconds, parseTonHash } from '../../core/ton/answer';
import { formatFirstFailure, MessageTree, type FoundTransaction } from '../../core/ton/messageTree';
import { rest } from '../../core/protocols/rest';
import { NANOCOIN_DECIMALS, formatUnits } from '../../core/values/units';
import { waitUntil } from '../../core/chain/waiting';
import { options } from '../fields';

const messageHash = {
	displayName: 'Message Hash',
	name: 'messageHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc',
	description:
		'The hash of the message that was sent, as Send gives it: 64 hex digits, or 44 characters of base64',
	parse: parseTonHash,
} as const satisfies Field;

const waitForTransfer = { ...waitFor, default: 120 } as const satisfies Field;

export const wait = rest({
	name: 'Wait',
	action: 'Wait for a transfer to complete',
	description:
		'Wait until a transfer and all that it set off are carried out, then get what became of it, failed or not',
	waits: true,
	fields: [messageHash, waitForTransfer, options],
	async *run(p, context) {
		const tree = new MessageTree(p.messageHash);
		await waitUntil(context, {
			seconds: p.waitFor,
			initial: false,
			read: async () => await tree.readOn(context),
			isDone: (isWhole): isWhole is true => isWhole,
			throwTimeout: async (_, failure) => throwNotWhole(p.waitFor, tree, failure),
		});
		yield formatOutcome(tree, p.messageHash);
	},
});

/** The fee is that of all transactions together. */
function formatOutcome(tree: MessageTree, wanted: string) {
	const { root, transactions } = tree;
	if (!root) throw new RequestFailure('The service lost the transaction of the message');
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

function sumFees(transactions: readonly FoundTransaction[]): bigint {
	return transactions.reduce((sum, { transaction }) => sum + transaction.fee, 0n);
}

function throwNotWhole(
	seconds: number,
	tree: MessageTree,
	failure: RequestFailure | undefined,
): never {
	const { root, transactions } = tree;
	const time = `after ${seconds} s`;
	if (failure) throw withAdvice(failure, `The transfer was not complete ${time}.`);
	if (!root) {
		throw new RequestFailure(`The message is not in a block ${time}`, {
			description:
				'It was not sent to this chain, it has expired, or it waits for a block. Until it expires, send the same one again; only then prepare another one, which may pay twice before.',
		});
	}
	const reason = formatFirstFailure(tree);
	throw new RequestFailure(
		`The wallet has sent the transfer, but not all of it is carried out ${time}`,
		{
			description: `${transactions.length} ${transactions.length === 1 ? 'transaction is' : 'transactions are'} in blocks.${reason === null ? '' : ` One failed. ${reason}.`} 'Wait For' sets how long to wait.`,
		},
	);
}
