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

/** How the nodes of a chain are asked. */
interface Services {
	readonly rpc: Chain;
	readonly rest: PatientRestReader;
}

/** A step that a family lacks, and why. */
export interface Missing {
	readonly missing: string;
}

export function isMissing<Step extends object>(step: Step | Missing): step is Missing {
	return 'missing' in step;
}

/** What a family prepares: a transaction that is not signed yet, of its kind. */
export interface UnsignedTransaction {
	readonly kind: string;
	readonly given: unknown;
}

/** One family of chains, as those use it who know no family by its name. */
export interface ChainFamily<
	Protocol extends keyof Services,
	Terms,
	Unsigned extends UnsignedTransaction,
> {
	/** How people call it. */
	readonly name: string;
	readonly coin: Coin;
	readonly protocol: Protocol;
	/** Parses an address to the one spelling by which two are compared. */
	readonly spellAddress: Parse<string>;
	/** Opens one chain of the family for payments. */
	openPayments(service: Services[Protocol], terms: Terms): PayingFamily<Unsigned>;
}

/** The coin of a family. The symbol is null where each of its chains has its own. */
export interface Coin {
	readonly symbol: string | null;
	readonly decimals: number;
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
export interface PreparedPayment<Unsigned extends UnsignedTransaction> {
	/** In the words of people: addresses as wallets show them. */
	readonly facts: SignedPayment;
	/** The same in the spelling by which two payments are compared. */
	readonly compared: OwnPayment;
	/** The token as the rules of the credential call it; null for coins that no limit is about. */
	readonly limited: string | null;
	/** What the account may lose at most, in whole coins. */
	readonly maxCost: string;
	readonly summary: string;
	readonly unsigned: Unsigned;
	/** Facts about the payment that are no failure. */
	readonly hints: ReadonlyArray<string | undefined>;
}

/** A payment at its place among those of its account. */
export interface PaymentPlace<Unsigned extends UnsignedTransaction> {
	prepare(): Promise<PreparedPayment<Unsigned>>;
	/** Where a signature expires, the payment is signed at its turn: some items wait long for those before them. */
	readonly renewal: Renewal<Unsigned> | Missing;
	release(): void;
}

/** Makes a payment ready again whose time is over. */
interface Renewal<Unsigned extends UnsignedTransaction> {
	renew(unsigned: Unsigned): Promise<Unsigned>;
	/** Whether one that was made ready again may be carried out beside an equal one that was made in time. */
	isApart(renewed: Unsigned, before: Unsigned): boolean;
}

/** A payment whose fields are valid on its chain; nothing was asked of the chain yet. */
export interface PlannedPayment<Unsigned extends UnsignedTransaction> {
	/** Its token in the spelling by which two payments are compared; null for coins. */
	readonly token: string | null;
	/** Takes the next place of the account. */
	reserve(payer: string): PaymentPlace<Unsigned>;
}

/** A signed transaction of a payment. */
export interface SignedTransaction {
	/** As an item holds it. */
	readonly text: string;
	/** What its bytes say beside the payment, by the names of items; empty where it is JSON. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Sends it, at most once, and waits until the chain has decided. */
	settle(terms: SettleTerms): Promise<PaymentOutcome>;
	/** Reads what it pays from its bytes. */
	read(): Promise<SignedPayment>;
}

/** The steps of a payment on one chain. */
export interface PayingFamily<Unsigned extends UnsignedTransaction> {
	/** Checks the fields; refuses by name what cannot be paid on this chain. */
	plan(asked: AskedPayment): PlannedPayment<Unsigned>;
	/** Chooses among the accounts that the signer may pay from. */
	readonly choosePayer: ChoosePayer | Missing;
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

type ChoosePayer = (accounts: readonly string[]) => Promise<string>;
