import type { RunContext } from '../core/operation/operation';
import { rest, type RestRequest } from '../core/protocols/rest';
import { isOnNode } from '../core/witness/send';
import { buildTokenApproval } from './approval';
import { buildDelegate, buildUndelegate } from './delegation';
import { options, transactionId } from './fields';
import { buildFreeze, buildUnfreeze } from './freeze';
import { parseOutcome, buildPendingOutcome, type Outcome } from './outcome';
import { buildTokenTransfer, buildTransfer } from './transfers';
import { wait } from './wait';
import { buildWithdraw } from './withdrawal';

const get = rest({
	name: 'Get',
	action: 'Get the outcome of a transaction',
	description:
		'Get what became of a transaction: its block, its fee, and why it failed if it did. One that is not known gives null.',
	fields: [transactionId, options],
	async *run(p, context) {
		yield await readTransactionOutcome(context, p.transactionId);
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

/** What became of a transaction; null where it is neither in a block nor waiting for one. */
async function readTransactionOutcome(
	{ call }: RunContext<RestRequest>,
	id: string,
): Promise<Outcome | null> {
	const ask = async (path: string) => await call({ path, body: { value: id } });
	const inBlock = parseOutcome(await ask('/wallet/gettransactioninfobyid'), id);
	if (inBlock) return inBlock;
	// It may be in a block whose outcome is not there yet.
	return (await isOnNode({ call }, id)) ? buildPendingOutcome(id) : null;
}
