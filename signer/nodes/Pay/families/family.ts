import type {
	MadePayment,
	MadePayments,
	OwnPayment,
	PaymentMark,
	PaymentOutcome,
	RestRequest,
	RpcRequest,
	SettleTerms,
	SignedPayment,
} from '../../../../nodes/core';
import type { PreparedRequest } from '../../core/prepared';
import type { SigningRequest } from '../../core/request';

/** A request to the chain, by the protocol of its family, or to the signer. */
export interface PayRequest {
	readonly rpc?: RpcRequest;
	readonly rest?: RestRequest;
	readonly signing?: SigningRequest;
}

/** What a user asks to be paid. */
export interface AskedPayment {
	/** Empty for coins. */
	readonly token: string;
	readonly to: string;
	/** In whole coins or tokens, as decimal text; above 0. */
	readonly amount: string;
	/** Empty without one. */
	readonly comment: string;
	/** What is signed carries it. */
	readonly mark: PaymentMark;
}

/** A payment that is ready to be judged and signed. */
export interface PreparedPayment {
	/** In the words of people: addresses as wallets show them. */
	readonly facts: SignedPayment;
	/** The same in the spelling by which two payments are compared. */
	readonly compared: OwnPayment;
	/** The token as the rules of the credential call it; null for coins that no limit is about. */
	readonly limited: string | null;
	/** What the account may lose at most, in whole coins. */
	readonly maxCost: string;
	readonly summary: string;
	readonly request: PreparedRequest;
	/** What is true of it and is no failure. */
	readonly hints: ReadonlyArray<string | undefined>;
}

/** A payment at its place among those of its account. */
export interface PaymentPlace {
	prepare(): Promise<PreparedPayment>;
	/** Makes it ready again where a signature expires: it is signed at its turn then, since some items wait long for those before them. */
	renew?(request: PreparedRequest): Promise<PreparedRequest>;
	/** Whether one that was made ready again may be carried out beside an equal one that was made in time. */
	isApart?(renewed: PreparedRequest, before: PreparedRequest): boolean;
	release(): void;
}

/** A payment whose fields are valid on its chain; nothing was asked of the chain yet. */
export interface PlannedPayment {
	/** Its token in the spelling by which two payments are compared; null for coins. */
	readonly token: string | null;
	/** Takes the next place of the account. */
	reserve(payer: string): PaymentPlace;
}

/** A signed transaction of a payment. */
export interface SignedTransaction {
	/** As an item holds it. */
	readonly text: string;
	/** What its bytes say beside the payment, by the names of items; empty where it is JSON. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Sends it, at most once, and waits until the chain has decided. */
	follow(terms: SettleTerms): Promise<PaymentOutcome>;
	/** Reads what it pays from its bytes. */
	read(): Promise<SignedPayment>;
}

/** One family of chains, as far as payments go. */
export interface PayingFamily {
	/** Checks the fields; refuses by name what cannot be paid on this chain. */
	plan(asked: AskedPayment): PlannedPayment;
	/** Chooses among the accounts that the signer may pay from. */
	choosePayer(accounts: readonly string[]): Promise<string>;
	/** Reads what an account has paid since a time, in milliseconds since 1970. */
	readMade(payer: string, token: string | null, since: number): Promise<MadePayments>;
	/** Finds the signed transaction of a payment that the account has made, where it carries this mark. */
	findMarked(
		payer: string,
		made: MadePayment,
		mark: PaymentMark,
	): Promise<SignedTransaction | undefined>;
	/** Takes what the signer gave. */
	takeSigned(answer: Readonly<Record<string, unknown>>): SignedTransaction;
	/** Parses what an item holds. */
	parseSigned(given: unknown): SignedTransaction;
}
