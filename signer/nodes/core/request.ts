import type { UnsignedTransaction, WitnessTransaction } from '../../../nodes/core';

/** What a signer is asked for. */
export type SigningRequest =
	| { readonly ask: 'account' }
	| { readonly ask: 'transaction'; readonly given: ParsedTransaction }
	| { readonly ask: 'witnessTransaction'; readonly given: ParsedWitnessTransaction }
	| { readonly ask: 'message'; readonly message: Buffer }
	| { readonly ask: 'typedData'; readonly typedData: unknown };

/** An EVM transaction, read: its addresses and its data are in lower case. */
export interface ParsedTransaction {
	readonly transaction: Omit<UnsignedTransaction, 'from'>;
	/** Who is said to sign it. */
	readonly from: string | undefined;
	/** What is said, beside it, to be signed: 0x-hex in lower case. */
	readonly unsigned: string | undefined;
	readonly signingHash: string | undefined;
}

/** A transaction of the witness chain, and what its bytes say, which is what its JSON says. */
export interface ParsedWitnessTransaction {
	readonly shape: Readonly<Record<string, unknown>>;
	readonly transaction: WitnessTransaction;
}
