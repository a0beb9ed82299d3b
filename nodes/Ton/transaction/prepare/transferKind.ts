import type { RestReader } from '../../../core/chain/reader';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';
import type { TonAccount } from '../../../core/ton/address';
import type { Plan } from '../../../core/ton/prepare/prepare';

export interface PlanContext {
	readonly from: TonAccount;
	readonly service: RestReader;
	/** Undefined leaves it to the receiver: only what has code sends coins back. */
	readonly bounce: boolean | undefined;
}

/** One kind of transfer: its fields, and what their values mean. */
interface TransferKind<Fields extends readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	/** Fails before any request where the values are wrong. */
	plan(parameters: Params<Fields>, context: PlanContext): Promise<Plan>;
}

/** A kind whose fields, and so the types of their values, only the kind itself knows. */
export interface AnyTransferKind extends EventInfo {
	plan(parameters: Readonly<Record<string, unknown>>, context: PlanContext): Promise<Plan>;
}

export function transferKind<const Fields extends readonly Field[]>(
	one: TransferKind<Fields>,
): TransferKind<Fields> {
	return one;
}
