import type { Field } from '../core/operation/field';
import { addHints } from '../core/operation/operation';
import { waitFor } from '../core/operation/sharedFields';
import { restOperation } from '../core/protocols/rest';
import { findUnservedHint, waitForTransaction } from '../core/witness/wait';
import { transactionId } from './fields';

const waitForIrreversible = {
	...waitFor,
	default: 120,
	description:
		'How many seconds to wait at most for the block to become irreversible, which takes about a minute. If the time runs out, the item fails.',
} as const satisfies Field;

export const wait = restOperation({
	name: 'Wait',
	action: 'Wait for transaction to be final',
	description:
		'Wait until the block of a transaction is irreversible, then get the outcome, even if it failed',
	waits: true,
	fields: [transactionId, waitForIrreversible],
	async *run(p, context) {
		const outcome = await waitForTransaction(context, p.transactionId, p.waitFor);
		addHints(context, [findUnservedHint(context)]);
		yield outcome;
	},
});
