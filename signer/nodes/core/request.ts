import type { UnsignedTransaction } from '../../../nodes/core';

/** What a signer is asked for. */
export type SigningRequest =
	| { readonly ask: 'account' }
	| { readonly ask: 'transaction'; readonly given: GivenTransaction }
	| { readonly ask: 'message'; readonly message: Buffer }
	| { readonly ask: 'typedData'; readonly typedData: unknown };

/** An EVM transaction, read: its addresses and its data are in lower case. */
export interface GivenTransaction {
	readonly transaction: Omit<UnsignedTransaction, 'from'>;
	/** Who is said to sign it. */
	readonly from: string | undefined;
	/** What is said, beside it, to be signed: 0x-hex in lower case. */
	readonly unsigned: string | undefined;
	readonly signingHash: string | undefined;
}
