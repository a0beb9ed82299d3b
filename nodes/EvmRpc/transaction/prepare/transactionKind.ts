import { InvalidInput } from '../../../core/errors/invalidInput';
import type { Abi } from '../../../core/evm/abi/abi';
import type { Field, Params } from '../../../core/operation/field';
import type { EventInfo } from '../../../core/operation/panel';
import type { Chain } from '../../../core/transport/rpc/chain';
import { parseEvmAddress } from '../../../core/evm/address';

/** What a transaction does. */
export interface Intent {
	/** Its words, as the beginning of a sentence: `Send 0.1 coins to 0x…`. */
	readonly says: string;
	/** Undefined where it creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** 0x-hex. */
	readonly data: string;
	/** Its errors may come back. */
	readonly abi?: Abi;
	/** Without a contract there it would do nothing, and succeed. */
	readonly isCall?: boolean;
	/** Some tokens return false instead of reverting. */
	readonly mayReturnFalse?: boolean;
}

/** Who prepares it. */
export interface PrepareContext {
	readonly from: string;
	readonly chain: Chain;
	readonly allowZeroAddress: boolean;
	/** How many decimals the token must tell. */
	readonly expectDecimals?: number;
}

/** One kind of transaction: its fields, and what their values mean. */
interface TransactionKind<Fields extends readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	/** Its amount means what the decimals of a token say. */
	readonly hasDecimals?: boolean;
	/** Throws at once where the values are wrong, before anything is asked. */
	intent(parameters: Params<Fields>, context: PrepareContext): Intent | Promise<Intent>;
}

/** Its own types are known to itself alone. */
export interface AnyTransactionKind extends EventInfo {
	readonly hasDecimals?: boolean;
	intent(parameters: never, context: PrepareContext): Intent | Promise<Intent>;
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

const ZERO_ADDRESS_PATTERN = /^0x0{40}$/;

/** What nobody means, and what costs people their tokens. */
export function checkReceiver(
	to: string,
	{ allowZeroAddress }: PrepareContext,
	ofToken?: string,
	label = 'To',
): void {
	if (ZERO_ADDRESS_PATTERN.test(to) && !allowZeroAddress) {
		throw new InvalidInput(
			`'${label}' must be another address than the zero address`,
			'What it receives is lost. If that is meant, switch the option Allow Zero Address on.',
		);
	}
	if (ofToken !== undefined && to.toLowerCase() === ofToken.toLowerCase()) {
		throw new InvalidInput(
			`'${label}' must be another address than the token's own contract`,
			'Did you mean the account that receives? What a token contract receives of itself is lost as a rule.',
		);
	}
}
