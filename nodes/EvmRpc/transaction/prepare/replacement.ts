import { planReplacement } from '../../../core/evm/prepare/replacement';
import type { Field } from '../../../core/operation/field';
import { transactionHash } from '../fields';
import { transactionKind } from './transactionKind';

const replaceBy = {
	displayName: 'Replace By',
	name: 'replaceBy',
	type: 'options',
	default: 'speedUp',
	description: 'Whether to cancel the pending transaction or to speed it up',
	options: [
		{
			name: 'Cancel',
			value: 'cancel',
			description:
				'Cancels the pending transaction: a payment of 0 from the account to itself takes its place',
		},
		{
			name: 'Speed Up',
			value: 'speedUp',
			description:
				'Speeds up the pending transaction: the same transaction at a higher gas price takes its place',
		},
	],
} as const satisfies Field;

const waitingHash = {
	...transactionHash,
	description: 'The hash of the pending transaction, which waits for a block',
} as const satisfies Field;

export const replacement = transactionKind({
	name: 'Replacement',
	description: 'Speed up or cancel a transaction that is stuck',
	fields: [waitingHash, replaceBy],
	intent: (p, { from }) => planReplacement(p.transactionHash, p.replaceBy, from),
});
