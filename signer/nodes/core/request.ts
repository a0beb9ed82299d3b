import type { StarkInvoke } from '../../rules/starkInvoke';
import type { TonTransfer, UnsignedTransaction, WitnessTransaction } from '../../../nodes/core';

/** A request to a signer. */
export type SigningRequest =
	| { readonly ask: 'account' }
	| { readonly ask: 'rules' }
	| { readonly ask: 'transaction'; readonly given: ParsedTransaction }
	| { readonly ask: 'tonTransfer'; readonly given: TonTransfer }
	| { readonly ask: 'starkTransaction'; readonly given: StarkInvoke }
	| { readonly ask: 'witnessTransaction'; readonly given: ParsedWitnessTransaction }
	| { readonly ask: 'message'; readonly message: Buffer }
	| { readonly ask: 'typedData'; readonly typedData: unknown };

/** A parsed EVM transaction: its addresses and its data are in lower case. */
export interface ParsedTransaction {
	readonly transaction: Omit<UnsignedTransaction, 'from'>;
	/** The sender that the transaction names. */
	readonly from: string | undefined;
	/** The serialized transaction that the item holds beside it: 0x-hex in lower case. */
	readonly unsigned: string | undefined;
	readonly signingHash: string | undefined;
}

/** A transaction of the witness chain, decoded from its bytes, which agree with its JSON. */
export interface ParsedWitnessTransaction {
	readonly shape: Readonly<Record<string, unknown>>;
	readonly transaction: WitnessTransaction;
}
