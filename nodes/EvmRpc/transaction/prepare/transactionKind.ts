import { parseEvmAddress } from '../../../core/evm/address';
import type { IntentContext, PlannedIntent } from '../../../core/evm/prepare/intent';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';

/**
 * A kind of transaction, such as a coin transfer: its fields, and a function that plans a transaction from their
 * values.
 */
export interface TransactionKind<Fields extends readonly Field[] = readonly Field[]>
	extends EventInfo {
	readonly fields: Fields;
	/** Tells whether the amount is in whole tokens, so that the decimals of the token must be read. */
	readonly hasDecimals?: boolean;
	/** Plans the transaction. It throws if the values are wrong, and sends no request. */
	intent(parameters: Params<Fields>, context: IntentContext): PlannedIntent;
}

export function transactionKind<const Fields extends readonly Field[]>(
	one: TransactionKind<Fields>,
): TransactionKind<Fields> {
	return one;
}

export const addressField = {
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	parse: parseEvmAddress,
} as const;

export const receiver = {
	...addressField,
	displayName: 'To',
	name: 'to',
	description: 'The account that receives',
} as const satisfies Field;
