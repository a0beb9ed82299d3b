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

/** The kinds of signatures, and the data that each is made from. */
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

/** The kind of a requested signature, and the data to sign. The signer signs only what the rules allow. */
export type SignedRequest<Kind extends SignedKind = SignedKind> = {
	readonly [K in Kind]: { readonly kind: K; readonly given: SignedKinds[K] };
}[Kind];

/**
 * A seller's request for payment, and the user's choice among its offers. Without a choice, the first offer that the rules allow is paid.
 */
export interface PaymentRequest {
	readonly required: PaymentRequired;
	readonly network: string | undefined;
	readonly token: string | undefined;
}

/** The accounts that the signer may pay from. On TON, a key may have several; the account of the main network comes first. */
export interface Payers {
	readonly accounts: readonly string[];
}
