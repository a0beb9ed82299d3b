import type { FamilyOfKey } from '../credentials/families';
import type { Address } from './addresses';
import type { Budget } from './budget';
import type { AllowedContracts } from './contracts';
import type { Recipients } from './recipients';
import type { TokenLimits } from './tokenLimits';

/** The rules of a credential's owner for one family of chains. Amounts are in the smallest unit. */
export interface Policy {
	readonly family: FamilyTerms;
	/** Undefined if nothing limits the total of all transactions. */
	readonly budget?: Budget;
	/** How many authorizations can be used a day; undefined if nothing limits them. */
	readonly dailyAuthorizations?: bigint;
	/** What may be signed, if a family has several kinds. */
	readonly kinds?: readonly string[];
	/** Empty if a family's transactions name no chain. */
	readonly chainIds: readonly bigint[];
	readonly maxAmount: bigint | 'unlimited';
	readonly maxFee: bigint;
	/** In minutes; undefined if the decoder limits it, or nothing does. */
	readonly maxExpiry?: bigint;
	readonly recipients: Recipients;
	/** An empty list allows the recipients. */
	readonly spenders: readonly Address[];
	readonly contracts: AllowedContracts;
	readonly tokenLimits: TokenLimits;
	readonly allowDeployments: boolean;
	/** Undefined if no rule sends everything to one place. */
	readonly sweep?: Sweep;
}

/** Everything that leaves the account goes to one destination. */
export interface Sweep {
	/** Undefined if nothing may leave. */
	readonly destination: Address | undefined;
}

/** The differences between families: their key, the names of their rules, and their notation. */
export interface FamilyTerms extends FamilyOfKey {
	readonly rules: RuleNames;
	readonly coinDecimals: number;
	readonly formatChainId: (id: bigint) => string;
	/** Whether an account obeys its own calls, which no rule could limit. */
	readonly obeysItself: boolean;
	/** Whether an address of a list belongs to this family, because a list may contain addresses of two families. */
	readonly owns: (address: Address) => boolean;
	readonly tokenWords: TokenWords;
}

/** The words of the worst case about tokens. */
interface TokenWords {
	readonly move: 'take' | 'send';
	readonly unit: string;
	/** The words before the address of a token; empty for none. */
	readonly place: string;
}

/** The names of the fields of a family's rules; null for a rule that its form lacks. */
interface RuleNames {
	readonly amount: string | null;
	readonly fee: string;
	readonly expiry: string | null;
	readonly limits: string;
	readonly kinds: string | null;
	readonly recipients: string;
	readonly contracts: string;
}
