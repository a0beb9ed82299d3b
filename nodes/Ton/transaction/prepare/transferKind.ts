import type { RestReader } from '../../../core/chain/reader';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';
import type { TonAccount } from '../../../core/ton/address';
import type { Plan } from '../../../core/ton/prepare/prepare';

export interface PlanContext {
	readonly from: TonAccount;
	readonly reader: RestReader;
	/**
	 * Tells whether a failed payment is sent back. By default, coins come back only from an address with code, but
	 * jettons and NFTs always.
	 */
	readonly bounce: boolean | undefined;
}

/**
 * A kind of transfer, such as a coin transfer: its fields, and a function that plans a transfer from their values.
 */
export interface TransferKind<Fields extends readonly Field[] = readonly Field[]>
	extends EventInfo {
	readonly fields: Fields;
	/** Plans the transfer. It throws before any request if the values are wrong. */
	plan(parameters: Params<Fields>, context: PlanContext): Promise<Plan>;
}

export function transferKind<const Fields extends readonly Field[]>(
	one: TransferKind<Fields>,
): TransferKind<Fields> {
	return one;
}
