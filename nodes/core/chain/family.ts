import type { Chain } from '../protocols/rpc/operation';
import type { Parse } from '../values/parse';
import type { PaymentMark } from './mark';
import type {
	MadePayment,
	MadePayments,
	OwnPayment,
	PaymentOutcome,
	SignedPayment,
} from './ownPayment';
import type { PatientRestReader } from './reader';
import type { SettleTerms } from './settling';

/** The readers of a chain by protocol, JSON-RPC or REST. */
interface Services {
	readonly rpc: Chain;
	readonly rest: PatientRestReader;
}

/** Stands for a step that a family of chains does not support, and gives the reason. */
export interface Missing {
	readonly missing: string;
}

export function isMissing<Step extends object>(step: Step | Missing): step is Missing {
	return 'missing' in step;
}

/** A transaction that a chain family prepared and that is not signed yet. */
export interface UnsignedTransaction {
	readonly kind: string;
	readonly given: unknown;
}

/** What each family of chains provides, so that shared code needs no special cases for a family. */
export interface ChainFamily<
	Protocol extends keyof Services,
	Terms,
	Unsigned extends UnsignedTransaction,
> {
	/** How people call it. */
	readonly name: string;
	readonly coin: Coin;
	readonly protocol: Protocol;
	/** Parses an address and returns it in a single spelling, so that addresses can be compared as text. */
	readonly spellAddress: Parse<string>;
	/** Opens a chain of the family for payments. */
	openPayments(service: Services[Protocol], terms: Terms): PayingFamily<Unsigned>;
}

/** The coin of a family. The symbol is null if each chain of the family has its own. */
export interface Coin {
	readonly symbol: string | null;
	readonly decimals: number;
}

/** A payment as the user requests it. */
export interface AskedPayment {
	/** Empty for coins. */
	readonly token: string;
	readonly to: string;
	/** The amount in whole coins or tokens, as decimal text above 0. */
	readonly amount: string;
	/** Empty without one. */
	readonly comment: string;
	/** What is signed carries it. */
	readonly mark: PaymentMark;
}

/** A payment that is ready to be checked against the signer's rules and signed. */
export interface PreparedPayment<Unsigned extends UnsignedTransaction> {
	/** The payment as people read it, with addresses as wallets show them. */
	readonly facts: SignedPayment;
	/** The same payment, with each address in the spelling in which addresses are compared. */
	readonly compared: OwnPayment;
	/** The name of the token in the limits of the signer's credential; null for coins that no limit covers. */
	readonly limited: string | null;
	/** The most that the account may lose, in whole coins. */
	readonly maxCost: string;
	readonly summary: string;
	readonly unsigned: Unsigned;
	/** Remarks about the payment that are not failures. */
	readonly hints: ReadonlyArray<string | undefined>;
}

/** A payment with its reserved position among the payments of the same account. */
export interface PaymentPlace<Unsigned extends UnsignedTransaction> {
	prepare(): Promise<PreparedPayment<Unsigned>>;
	/**
	 * Renews the payment at its turn, for chains on which signatures expire, because an item may wait long for earlier
	 * items.
	 */
	readonly renewal: Renewal<Unsigned> | Missing;
	release(): void;
}

/** Prepares a payment again if its time limit passed before the payment could be signed. */
interface Renewal<Unsigned extends UnsignedTransaction> {
	renew(unsigned: Unsigned): Promise<Unsigned>;
	/** Whether the payment prepared again could be carried out in addition to the first one. */
	isApart(renewed: Unsigned, before: Unsigned): boolean;
}

/** A payment whose fields are valid for its chain. Nothing was requested from the chain yet. */
export interface PlannedPayment<Unsigned extends UnsignedTransaction> {
	/** The token of the payment, in the spelling in which tokens are compared; null for coins. */
	readonly token: string | null;
	/** Reserves the next position among the payments of the account. */
	reserve(payer: string): PaymentPlace<Unsigned>;
}

/** The signed transaction of a payment, with the steps that follow. */
export interface SignedTransaction {
	/** The text of the signed transaction, as items hold it. */
	readonly text: string;
	/**
	 * The fields of the signed bytes other than the payment, under the names that items use. Empty for a JSON
	 * transaction, whose fields `takeSigned` compares.
	 */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Sends the transaction, at most once, and waits for its outcome. */
	settle(terms: SettleTerms): Promise<PaymentOutcome>;
	/** Reads from the signed bytes what the transaction pays. */
	read(): Promise<SignedPayment>;
}

/** The functions for payments on one chain. */
export interface PayingFamily<Unsigned extends UnsignedTransaction> {
	/** Checks the fields of a payment. Throws if it is not possible on this chain, and names the field. */
	plan(asked: AskedPayment): PlannedPayment<Unsigned>;
	/** Chooses the paying account from those that the signer allows. */
	readonly choosePayer: ChoosePayer | Missing;
	/** Reads the payments that an account has made since a time, in milliseconds since 1970. */
	readMade(payer: string, token: string | null, since: number): Promise<MadePayments>;
	/**
	 * Finds the signed transaction of a payment that the account has made. `mark` is the number in its bytes that
	 * identifies the payment.
	 */
	findMarked(
		payer: string,
		made: MadePayment,
		mark: PaymentMark,
	): Promise<SignedTransaction | undefined>;
	/** Takes what the signer gave. */
	takeSigned(answer: Readonly<Record<string, unknown>>): SignedTransaction;
	/** Parses the signed transaction that an item holds. */
	parseSigned(given: unknown): SignedTransaction;
}

type ChoosePayer = (accounts: readonly string[]) => Promise<string>;
