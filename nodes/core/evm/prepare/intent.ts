import type { RpcReader } from '../../chain/reader';
import type { TokenFacts } from '../../chain/tokens';
import { checkNotOwnContract, checkNotZeroAddress } from '../../values/receiver';
import type { Abi } from '../abi/abi';
import { ZERO_ADDRESS } from '../address';
import type { UnsignedTransaction } from '../transactions/unsigned';

/** The effects of a transaction. */
export interface Intent {
	/** The beginning of a sentence: `Send 0.1 coins to 0x…`. */
	readonly sentence: string;
	/** The receiver, or the called contract. It is undefined if the transaction creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** The data of the transaction, as 0x-hex. */
	readonly data: string;
	/** The ABI of the called contract, which lists the errors that the contract may return. */
	readonly abi?: Abi;
	/**
	 * Whether the transaction calls a contract. At an address without a contract, a call succeeds but does nothing, so it
	 * is refused.
	 */
	readonly isCall?: boolean;
	/** Whether the call may return false instead of reverting, as some tokens do. */
	readonly mayReturnFalse?: boolean;
	/** The account's tokens that the transaction pays. */
	readonly spends?: SpentTokens;
	/**
	 * The most gas that may be bought, if a stranger's contract decides how much is used. If more is needed, preparing
	 * fails, unless the user fixes the gas.
	 */
	readonly maxGas?: bigint;
	/** The transaction that is replaced. */
	readonly replaces?: ReplacedTransaction;
}

/** The amount of a token that a transaction spends, in the smallest unit of the token. */
export interface SpentTokens {
	readonly token: string;
	readonly facts: TokenFacts;
	readonly amount: bigint;
}

/** The fields of a pending transaction that its replacement keeps. */
interface ReplacedTransaction
	extends Pick<UnsignedTransaction, 'chainId' | 'nonce' | 'price' | 'accessList'> {
	/** Undefined if the replacement does something else, so that its gas must be estimated. */
	readonly gas?: bigint;
}

/** What a transaction is to do. It may be a function, which reads data from the chain first. */
export type PlannedIntent = Intent | ((reader: RpcReader) => Promise<Intent>);

/** The account that pays, and the options. */
export interface IntentContext {
	readonly from: string;
	readonly allowZeroAddress: boolean;
	/** The number of decimals that the user expects the token to have. */
	readonly expectDecimals?: number;
}

/** Refuses to pay to the zero address or to the token's own contract, where nobody could use the payment. */
export function checkReceiver(
	label: string,
	receiver: string,
	{ allowZeroAddress }: IntentContext,
	token?: string,
): void {
	const address = receiver.toLowerCase();
	if (!allowZeroAddress)
		checkNotZeroAddress(label, address, { zeroAddress: ZERO_ADDRESS, advice: ALLOW_ZERO_ADVICE });
	if (token !== undefined) checkNotOwnContract(label, address, token.toLowerCase());
}

const ALLOW_ZERO_ADVICE = 'To use it all the same, switch on the option Allow Zero Address.';
