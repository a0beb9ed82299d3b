import { restOperation } from '../core/protocols/rest';
import { readOutcome } from '../core/witness/wait';
import { buildTokenApproval } from './approval';
import { buildDelegate, buildUndelegate } from './delegation';
import { transactionId } from './fields';
import { buildFreeze, buildUnfreeze } from './freeze';
import { buildTokenTransfer, buildTransfer } from './transfers';
import { wait } from './wait';
import { buildWithdraw } from './withdrawal';

const get = restOperation({
	name: 'Get',
	action: 'Get outcome of transaction',
	description:
		'Get the outcome of a transaction: its block, its fee, and the reason if it failed. An unknown transaction gives null.',
	fields: [transactionId],
	async *run(p, context) {
		yield await readOutcome(context, p.transactionId);
	},
});

export const transaction = {
	name: 'Transaction',
	operations: {
		buildTransfer,
		buildTokenTransfer,
		buildTokenApproval,
		buildFreeze,
		buildUnfreeze,
		buildDelegate,
		buildUndelegate,
		buildWithdraw,
		get,
		wait,
	},
};
