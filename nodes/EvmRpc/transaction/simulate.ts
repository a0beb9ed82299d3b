import { simulateTransaction } from '../../core/evm/simulate/simulate';
import { parseSimulatedTransaction } from '../../core/evm/simulate/transaction';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { stateBlock } from '../fields';

const transaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '={{ $json.transaction }}',
	placeholder:
		'e.g. {"from":"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB","to":"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359","value":"0.1 ether"}',
	description:
		'The transaction as JSON, or the whole item from Prepare. It may have from, to, data, value and gas, and need not be signed.',
	parse: parseSimulatedTransaction,
} as const satisfies Field;

const block = {
	...stateBlock,
	description:
		'The block after which to simulate: a number, or latest, safe, finalized, earliest or pending',
} as const satisfies Field;

export const simulate = rpcOperation({
	name: 'Simulate',
	action: 'Simulate before you sign',
	description:
		'See which coins and tokens a transaction would move if it were carried out now, according to the chain node. Nothing is sent.',
	fields: [transaction, block, pathField('/')],
	async *run(p, chain) {
		yield await simulateTransaction(chain, p.transaction, p.block);
	},
});
