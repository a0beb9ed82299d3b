import { formatReceipt } from '../../core/evm/chainObjects';
import { waitForTransaction } from '../../core/evm/wait';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { simplify, waitFor } from '../../core/operation/sharedFields';
import { outputFields } from '../../core/operation/outputFields';
import { optionsField } from '../../core/operation/transportOptions';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { wholeNumberParser } from '../../core/values/parse';
import { transactionHash } from './fields';

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'How many blocks to wait for: the block that contains the transaction is 1, and each later block adds 1',
	parse: wholeNumberParser(1),
} as const satisfies Field;

export const wait = rpcOperation({
	name: 'Wait',
	action: 'Wait for transaction to confirm',
	description: 'Wait until a transaction has been confirmed, then get its receipt',
	waits: true,
	fields: [
		transactionHash,
		confirmations,
		waitFor,
		simplify,
		pathField('/'),
		optionsField([outputFields]),
	],
	async *run(p, chain) {
		const { transactionHash: hash, confirmations: wanted, waitFor: seconds } = p;
		const receipt = await waitForTransaction(chain, { hash, confirmations: wanted, seconds });
		yield p.simplify ? formatReceipt(receipt) : receipt;
	},
});
