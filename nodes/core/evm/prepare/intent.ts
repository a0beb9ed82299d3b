import type { RpcReader } from '../../chain/reader';
import type { TokenInfo } from '../../chain/tokens';
import { checkNotOwnContract, checkNotZeroAddress } from '../../values/receiver';
import type { Abi } from '../abi/abi';
import { ZERO_ADDRESS } from '../address';
import type { UnsignedTransaction } from '../transactions/unsigned';

/** The effects of a transaction. */
export interface Intent {
	/** The beginning of a sentence: `Send 0.1 coins to 0x…`. */
	readonly sentence: string;
	/** The receiver, or the contract that is called; undefined where the transaction creates one. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** The data that it carries, as 0x-hex. */
	readonly data: string;
	/** The interface of the called contract: its errors may come back. */
	readonly abi?: Abi;
	/** Without a contract there it would do nothing, and succeed. */
	readonly isCall?: boolean;
	/** Some tokens return false instead of reverting. */
	readonly mayReturnFalse?: boolean;
	/** The tokens of the account that it pays. */
	readonly spends?: SpentTokens;
	/** Where strangers decide how much gas it uses: more is refused, unless the user fixes the gas. */
	readonly maxGas?: bigint;
	/** The transaction in whose place it comes. */
	readonly replaces?: ReplacedTransaction;
}

/** An amount of a token in its smallest unit. */
export interface SpentTokens {
	readonly token: string;
	readonly info: TokenInfo;
	readonly amount: bigint;
}

/** A replacement keeps these fields of the pending transaction. */
interface ReplacedTransaction
	extends Pick<UnsignedTransaction, 'chainId' | 'nonce' | 'price' | 'accessList'> {
	/** Undefined where the replacement does something else, and its gas has to be estimated. */
	readonly gas?: bigint;
}

/** The intent, or how it follows from what the chain says. */
export type PlannedIntent = Intent | ((chain: RpcReader) => Promise<Intent>);

/** Who pays, and what the options allow and expect. */
export interface IntentContext {
	readonly from: string;
	readonly allowZeroAddress: boolean;
	/** How many decimals the token must have. */
	readonly expectDecimals?: number;
}

/** Refuses the zero address and the token's own contract: a payment there reaches nobody. */
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
