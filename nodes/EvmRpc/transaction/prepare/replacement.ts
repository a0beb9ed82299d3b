import { planReplacement } from '../../../core/evm/prepare/replacement';
import type { Field } from '../../../core/operation/field';
import { transactionHash } from '../fields';
import { transactionKind } from './transactionKind';

const replaceBy = {
	displayName: 'Replace By',
	name: 'replaceBy',
	type: 'options',
	default: 'speedUp',
	description: 'What takes the place of the pending transaction',
	options: [
		{ name: 'Cancel', value: 'cancel', description: 'A payment of 0 to the account itself' },
		{
			name: 'Speed Up',
			value: 'speedUp',
			description: 'The same transaction at a higher gas price',
		},
	],
} as const satisfies Field;

const waitingHash = {
	...transactionHash,
	description: 'The hash of the pending transaction',
} as const satisfies Field;

export const replacement = transactionKind({
	name: 'Replacement',
	description: 'Speed up or cancel a transaction that is stuck',
	fields: [waitingHash, replaceBy],
	intent: (p, { from }) => planReplacement(p.transactionHash, p.replaceBy, from),
});
