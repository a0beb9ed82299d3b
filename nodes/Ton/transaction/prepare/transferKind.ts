import type { RestReader } from '../../../core/chain/reader';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';
import type { TonAccount } from '../../../core/ton/address';
import type { Plan } from '../../../core/ton/prepare/prepare';

export interface PlanContext {
	readonly from: TonAccount;
	readonly reader: RestReader;
	/** If undefined, the receiver decides: only an address with code sends coins back. */
	readonly bounce: boolean | undefined;
}

/** One kind of transfer: its fields, and what their values mean. Without type arguments it is any of them. */
export interface TransferKind<Fields extends readonly Field[] = readonly Field[]>
	extends EventInfo {
	readonly fields: Fields;
	/** Fails before any request if the values are wrong. */
	plan(parameters: Params<Fields>, context: PlanContext): Promise<Plan>;
}

export function transferKind<const Fields extends readonly Field[]>(
	one: TransferKind<Fields>,
): TransferKind<Fields> {
	return one;
}
