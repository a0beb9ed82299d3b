import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';
import type { TonAccount } from '../../../core/ton/address';
import type { PlannedMessage } from '../../../core/ton/payments';
import type { TonService } from '../../../core/ton/service';

/** What a transfer does. */
export interface Plan {
	readonly messages: readonly PlannedMessage[];
	/** Its words, as the beginning of a sentence. */
	readonly says: string;
	/** Everything that the wallet has goes along with its one message. */
	readonly isAll?: boolean;
}

/** Who prepares it. */
export interface PlanContext {
	readonly from: TonAccount;
	readonly service: TonService;
	/** Undefined follows the receiver. */
	readonly bounce: boolean | undefined;
}

/** One kind of transfer: its fields, and what their values mean. */
interface TransferKind<Fields extends readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	/** Throws at once where the values are wrong, before any request. */
	plan(parameters: Params<Fields>, context: PlanContext): Promise<Plan>;
}

/** Its own types are known to itself alone. */
export interface AnyTransferKind extends EventInfo {
	plan(parameters: never, context: PlanContext): Promise<Plan>;
}

export function transferKind<const Fields extends readonly Field[]>(
	one: TransferKind<Fields>,
): TransferKind<Fields> {
	return one;
}

/** A plan of one message. */
export function planOf(message: PlannedMessage): Plan {
	return { messages: [message], says: message.says };
}
