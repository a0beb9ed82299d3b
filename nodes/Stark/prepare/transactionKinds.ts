import type { RpcReader } from '../../core/chain/reader';
import type { Field, Params } from '../../core/operation/field';
import type { EventInfo } from '../../core/operation/panel';
import type { BlockId } from '../../core/stark/blocks';
import { encodeCalls } from '../../core/stark/invoke';
import { formatCall } from '../../core/stark/prepare/callText';
import { planTokenTransfer } from '../../core/stark/prepare/payments';
import type { Intent } from '../../core/stark/prepare/prepare';
import { parseAmountText } from '../../core/values/units';
import { accountField, buildCallFields, readCalls } from '../../fields/starkFields';
import { encodeChosenCall, functionFields } from '../contract';
import { tokenAddress } from '../fields';

/**
 * A kind of transaction, such as a token transfer: its fields, and a function that plans a transaction from their
 * values.
 */
interface TransactionKind<Fields extends readonly Field[] = readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	plan(parameters: Params<Fields>, reader: RpcReader, block: BlockId): Promise<Intent>;
}

function transactionKind<const Fields extends readonly Field[]>(
	one: TransactionKind<Fields>,
): TransactionKind<Fields> {
	return one;
}

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 25.5',
	description: 'How much to pay',
	hint: 'In tokens, such as 1.5',
	parse: parseAmountText,
} as const satisfies Field;

const tokenTransfer = transactionKind({
	name: 'Token Transfer',
	description: 'Pay in an ERC-20 token',
	fields: [accountField('To', 'to', 'The account that receives'), amount, tokenAddress],
	plan: async (p, reader) => await planTokenTransfer(reader, p),
});

const contractFunction = transactionKind({
	name: 'Contract Function',
	description: 'Call a function of a contract to change something on the chain',
	fields: functionFields,
	plan: async (p, reader, block) => {
		const call = await encodeChosenCall(reader, p, block);
		return { calls: [call], sentences: [formatCall(call)], paid: 0n };
	},
});

const calls = transactionKind({
	name: 'Calls',
	description: 'Several calls in one transaction: all of them happen, or none',
	fields: buildCallFields({}),
	plan: async (p, reader, block) => {
		const encoded = await encodeCalls(reader, readCalls(p), block);
		return { calls: encoded, sentences: encoded.map(formatCall), paid: 0n };
	},
});

/** The kinds stand in the order of their names, because n8n lists them in this order. */
export const transactionKinds = { calls, contractFunction, tokenTransfer } as const;

/** Any kind of transaction, whatever its fields are. */
export type AnyTransactionKind = TransactionKind;
