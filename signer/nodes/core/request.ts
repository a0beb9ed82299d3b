import type { StarkInvoke } from '../../rules/starkInvoke';
import type {
	PaymentRequired,
	TonTransfer,
	UnsignedTransaction,
	WitnessTransaction,
} from '../../../nodes/core';

/** A request to a signer. */
export type SigningRequest =
	| { readonly kind: 'account' }
	| { readonly kind: 'payers' }
	| { readonly kind: 'rules' }
	| { readonly kind: 'check'; readonly given: SignedRequest }
	| SignedRequest;

/** What is signed, if the rules allow it. */
export type SignedRequest =
	| { readonly kind: 'transaction'; readonly given: ParsedTransaction }
	| { readonly kind: 'tonTransfer'; readonly given: TonTransfer }
	| { readonly kind: 'starkTransaction'; readonly given: StarkInvoke }
	| { readonly kind: 'witnessTransaction'; readonly given: ParsedWitnessTransaction }
	| { readonly kind: 'message'; readonly given: Buffer }
	| { readonly kind: 'typedData'; readonly given: unknown }
	| { readonly kind: 'httpPayment'; readonly given: PaymentRequest };

/** A seller's answer, and which of its offers is wanted; without a choice the first that the rules allow. */
export interface PaymentRequest {
	readonly required: PaymentRequired;
	readonly network: string | undefined;
	readonly token: string | undefined;
}

/** The accounts that a signer may pay from, where a key has one for each network: the main network's comes first. */
export interface Payers {
	readonly accounts: readonly string[];
}

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
