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

/** The data from which each kind of signature is made. */
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

/** The data that is signed, if the rules allow it. */
export type SignedRequest<Kind extends SignedKind = SignedKind> = {
	readonly [K in Kind]: { readonly kind: K; readonly given: SignedKinds[K] };
}[Kind];

/** A seller's answer, and the chosen offer. By default, the first offer that the rules allow. */
export interface PaymentRequest {
	readonly required: PaymentRequired;
	readonly network: string | undefined;
	readonly token: string | undefined;
}

/** The accounts that a signer may pay from, if a key has one for each network. The main network's account comes first. */
export interface Payers {
	readonly accounts: readonly string[];
}
