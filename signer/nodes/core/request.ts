import type { CountedToken } from '../../rules/decimals';
import type {
	ParsedEvmTransaction,
	ParsedWitnessTransaction,
	PaymentRequired,
	StarkInvoke,
	TonTransfer,
} from '../../../nodes/core';

/** A request to a signer. */
export type SigningRequest =
	| { readonly kind: 'account'; readonly index?: number }
	| { readonly kind: 'payers' }
	| { readonly kind: 'rules' }
	| { readonly kind: 'check'; readonly given: SignedRequest; readonly counted?: CountedToken }
	| SignedRequest;

/** What each kind of signature is made from. */
export interface SignedKinds {
	readonly transaction: ParsedEvmTransaction;
	readonly tonTransfer: TonTransfer;
	readonly starkTransaction: StarkInvoke;
	readonly witnessTransaction: ParsedWitnessTransaction;
	readonly message: Buffer;
	readonly typedData: unknown;
	readonly httpPayment: PaymentRequest;
}

export type SignedKind = keyof SignedKinds;

/** What is signed, if the rules allow it. */
export type SignedRequest<Kind extends SignedKind = SignedKind> = {
	readonly [K in Kind]: { readonly kind: K; readonly given: SignedKinds[K] };
}[Kind];

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
