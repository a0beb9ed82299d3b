import type { Address } from './addresses';

/** All that the rules see of a transaction or of typed data: what it would do, as the decoder of its family read it. */
export interface Effects {
	/** The account of the signer. */
	readonly own: Address;
	/** Undefined where a family has but one kind. */
	readonly kind?: { readonly name: string; readonly wants: string };
	/** Undefined where it names no chain. */
	readonly chain: { readonly id: bigint; readonly wants: string } | undefined;
	/** The name of a signature that takes none is in its place. */
	readonly nonce: bigint | { readonly noneOf: string };
	/** Undefined where it cannot be held back longer than its decoder allows, or without an end. In milliseconds since 1970. */
	readonly expiry: bigint | undefined;
	/** Undefined for all but the authorizations of EIP-3009. */
	readonly authorization?: Authorization;
	readonly coins: Spent | undefined;
	readonly fee: Spent | undefined;
	/** The coins for the contracts that it deploys. */
	readonly deployment?: { readonly amount: bigint; readonly wants: string };
	readonly calls: readonly Call[];
	readonly moves: readonly Move[];
	readonly approvals: readonly Approval[];
	/** Why it is refused whatever the rules say, because none of them could bound it. */
	readonly unbounded?: { readonly why: string; readonly advice: string };
}

/** A signature that a token takes once, by its nonce. */
export interface Authorization {
	/** The day (UTC) on which it ends, counted since 1970. */
	readonly day: bigint;
	/** The time from which it can be used, in milliseconds since 1970. */
	readonly validAfter: bigint;
	/** 0x and 64 hex digits. */
	readonly nonce: string;
	/** The nonces of this day, in their order: the chain takes each of them once. */
	readonly nonceAt: (number: bigint) => string;
	/** The place of its own nonce among them; undefined for any other. */
	readonly number: bigint | undefined;
}

/** Each `wants` is the end of a sentence that says what is asked for. */
export interface Spent {
	/** The amount in the smallest unit; `all` for whatever is there. */
	readonly amount: bigint | 'all';
	readonly wants: string;
}

/** What is given to one address: coins, an order, or both. */
export interface Call {
	readonly to: Address;
	/** The function as Contracts names it; empty where Contracts names addresses alone. */
	readonly selector: string;
	/** The data as 0x-hex in lower case; empty where no function is named by its signature. */
	readonly data: string;
	/** What Contracts has to allow; undefined for coins alone and for what only people read. */
	readonly wants?: string;
	/** Whether a limit of the token is enough to allow it: a function of ERC-20 about own tokens, or a transfer of jettons. */
	readonly needsLimitOnly?: boolean;
	/** Who is trusted with the coins that go there, beside the recipients. */
	readonly coinsFor: CoinTrust;
}

/** Nobody gets coins; nobody is trusted; a contract that is named together with the function; or also a token that has a limit. */
export type CoinTrust = 'nothing' | 'recipient' | 'contract' | 'contractOrToken';

interface Tokens {
	readonly token: Address;
	/** The amount in the smallest unit; `all` where nothing bounds it. */
	readonly amount: bigint | 'all';
	/** Says what the effect is on this amount; undefined is the whole balance. */
	readonly about: (amount: string | undefined) => string;
	/** Says that the token has no limit, where it needs one. */
	readonly unlimited?: () => string;
}

/** Tokens that somebody gets at once. */
export interface Move extends Tokens {
	readonly receivers: readonly Address[];
}

/** Tokens that somebody may take later. */
export interface Approval extends Tokens {
	readonly spender: Address;
	/** The contracts on which it takes an approval back, and gives nothing to anybody. */
	readonly revokesOn: RevokesOn;
}

export type RevokesOn = 'anyContract' | 'tokens' | 'none';
