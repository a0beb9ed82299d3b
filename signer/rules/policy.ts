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
	/** How many authorizations can be used in a day. Undefined if no rule limits them. */
	readonly dailyAuthorizations?: bigint;
	/** What may be signed, if a family has several kinds. */
	readonly kinds?: readonly string[];
	/** The allowed chains. Empty if the transactions of the family contain no chain ID. */
	readonly chainIds: readonly bigint[];
	readonly maxAmount: bigint | 'unlimited';
	readonly maxFee: bigint;
	/** How long a transaction may be valid, in minutes. Undefined if there is no such rule for the family. */
	readonly maxExpiry?: bigint;
	readonly recipients: Recipients;
	/** An empty list allows the recipients. */
	readonly spenders: readonly Address[];
	readonly contracts: AllowedContracts;
	readonly tokenLimits: TokenLimits;
	readonly allowDeployments: boolean;
	/** The sweep to one destination. Undefined if the credential is not for sweeps. */
	readonly sweep?: Sweep;
}

/** The destination to which everything is sent that leaves the account. */
export interface Sweep {
	/** Undefined if nothing may leave. */
	readonly destination: Address | undefined;
}

/** What differs between families: the key, the names of the rules, and how values are written. */
export interface FamilyTerms extends FamilyOfKey {
	readonly rules: RuleNames;
	readonly coinDecimals: number;
	readonly formatChainId: (id: bigint) => string;
	/** Whether an account can call itself, and thereby change itself in ways that no rule limits. */
	readonly obeysItself: boolean;
	/** Whether an address of a list belongs to this family, because a list may contain addresses of two families. */
	readonly owns: (address: Address) => boolean;
	readonly tokenWords: TokenWords;
}

/** The words about tokens in the description of the worst case. */
interface TokenWords {
	readonly move: 'take' | 'send';
	readonly unit: string;
	/** The words before a token's address, such as `the jetton wallet `. Empty if none are needed. */
	readonly place: string;
}

/** The names of a family's rules in the credential. Null if the form has no such rule. */
interface RuleNames {
	readonly amount: string | null;
	readonly fee: string;
	readonly expiry: string | null;
	readonly limits: string;
	readonly kinds: string | null;
	readonly recipients: string;
	readonly contracts: string;
}
