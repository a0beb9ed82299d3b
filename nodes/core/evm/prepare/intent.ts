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
	/** The receiver, or the called contract; undefined if the transaction creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** The data of the transaction, as 0x-hex. */
	readonly data: string;
	/** The ABI of the called contract, which may return its errors. */
	readonly abi?: Abi;
	/**
	 * Whether the transaction calls a contract. At an address without a contract, a call succeeds but does nothing, so it
	 * is refused.
	 */
	readonly isCall?: boolean;
	/** Some tokens return false instead of reverting. */
	readonly mayReturnFalse?: boolean;
	/** The account's tokens that the transaction pays. */
	readonly spends?: SpentTokens;
	/**
	 * The highest gas, set if a stranger's contract decides how much is used. More is refused, unless the user fixes the
	 * gas.
	 */
	readonly maxGas?: bigint;
	/** The transaction that is replaced. */
	readonly replaces?: ReplacedTransaction;
}

/** An amount of a token in its smallest unit. */
export interface SpentTokens {
	readonly token: string;
	readonly facts: TokenFacts;
	readonly amount: bigint;
}

/** A replacement keeps these fields of the pending transaction. */
interface ReplacedTransaction
	extends Pick<UnsignedTransaction, 'chainId' | 'nonce' | 'price' | 'accessList'> {
	/** Undefined if the replacement does something else, so that its gas must be estimated. */
	readonly gas?: bigint;
}

/** The intent, or how to get it from the chain's answers. */
export type PlannedIntent = Intent | ((reader: RpcReader) => Promise<Intent>);

/** The account that pays, and the options. */
export interface IntentContext {
	readonly from: string;
	readonly allowZeroAddress: boolean;
	/** How many decimals the token must have. */
	readonly expectDecimals?: number;
}

/** Refuses the zero address and the token's own contract, because nobody could use a payment there. */
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

const ALLOW_ZERO_ADVICE = 'If that is meant, switch the option Allow Zero Address on.';
