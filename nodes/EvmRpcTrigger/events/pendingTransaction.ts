import { PendingTransactions } from '../follow/pendingTransactions';
import { triggerEvent } from '../follow/triggerEvent';

export const pendingTransaction = triggerEvent({
	name: 'Pending Transaction',
	description: 'When a transaction starts waiting for a block. Few nodes announce all of them.',
	fields: [],
	follower: (_, around) => new PendingTransactions(around),
});
