import { encodeBase58Check } from '../../values/base58';
import type { BuiltTransaction } from './built';
import { formatCoins } from './purse';

/** An account, given in hex (41…), as people write it. */
export function formatBase58(hex: string): string {
	return encodeBase58Check(Buffer.from(hex, 'hex'));
}

/** Formats a transaction for the person who approves it and for the signer; its members are also beside it. */
export function formatBuilt(transaction: BuiltTransaction, sentence: string) {
	return { summary: `${sentence}.`, transaction, ...transaction };
}

/** The end of a sentence about a call. The fee limit is in sun. */
export function formatFeeLimit(feeLimit: bigint): string {
	return `for a fee of at most ${formatCoins(feeLimit)}`;
}
