import { parseEvmAddress } from '../../../core/evm/address';
import type { IntentContext, PlannedIntent } from '../../../core/evm/prepare/intent';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';

/** One kind of transaction: its fields, and what their values mean. Without type arguments it is any of them. */
export interface TransactionKind<Fields extends readonly Field[] = readonly Field[]>
	extends EventInfo {
	readonly fields: Fields;
	/** The decimals of a token decide what this amount means. */
	readonly hasDecimals?: boolean;
	/** A pure function: it throws if the values are wrong, and sends no request. */
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
