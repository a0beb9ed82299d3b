import { encodeBase58Check } from '../../values/base58';
import type { BuiltTransaction } from './built';
import { formatCoins } from './purse';

/** Formats an account, given in hex (41…), in base58. */
export function formatBase58(hex: string): string {
	return encodeBase58Check(Buffer.from(hex, 'hex'));
}

/**
 * Formats a transaction for an output item. The sentence is for the person who approves the transaction. The signer reads `transaction` or
 * the same fields beside it.
 */
export function formatBuilt(transaction: BuiltTransaction, sentence: string) {
	return { summary: `${sentence}.`, transaction, ...transaction };
}

/** Formats the end of a sentence about a call. The fee limit is in sun. */
export function formatFeeLimit(feeLimit: bigint): string {
	return `for a fee of at most ${formatCoins(feeLimit)}`;
}
