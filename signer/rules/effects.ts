import { formatAddress, type Address } from './addresses';

/** Everything that the rules see of a transaction or of typed data: its effects, as the decoder of its family read them. */
export interface Effects {
	/** The account of the signer. */
	readonly own: Address;
	/** Undefined if the family has only one kind. */
	readonly kind?: { readonly name: string; readonly wants: string };
	/** Undefined if it names no chain. */
	readonly chain: { readonly id: bigint; readonly wants: string } | undefined;
	/** For a signature without a nonce, its name stands here. */
	readonly nonce: bigint | { readonly noneOf: string };
	/** Undefined if the decoder limits how long it can be held back, or if nothing does. In milliseconds since 1970. */
	readonly expiry: bigint | undefined;
	/** Undefined, except for authorizations of EIP-3009. */
	readonly authorization?: Authorization;
	readonly coins: Spent | undefined;
	readonly fee: Spent | undefined;
	/** The coins for the contracts that it deploys. */
	readonly deployment?: { readonly amount: bigint; readonly wants: string };
	readonly calls: readonly Call[];
	readonly moves: readonly Move[];
	readonly approvals: readonly Approval[];
	/** Why it is refused whatever the rules say, because no rule could limit it. */
	readonly unbounded?: { readonly why: string; readonly advice: string };
}

/** A signature that a token accepts once, by its nonce. */
export interface Authorization {
	/** The day (UTC) on which it ends, counted since 1970. */
	readonly day: bigint;
	/** The time from which it can be used, in milliseconds since 1970. */
	readonly validAfter: bigint;
	/** 0x and 64 hex digits. */
	readonly nonce: string;
	/** The nonces of this day, in order. The chain accepts each of them once. */
	readonly nonceAt: (number: bigint) => string;
	/** The position of its own nonce among them; undefined for any other nonce. */
	readonly number: bigint | undefined;
}

/** Each `wants` is the end of a sentence that describes the request. */
export interface Spent {
	/** The amount in the smallest unit; `all` for the whole balance. */
	readonly amount: bigint | 'all';
	readonly wants: string;
}

/** What one address receives: coins, a call, or both. */
export interface Call {
	readonly to: Address;
	/** The function as Contracts lists it; empty if Contracts lists only addresses. */
	readonly selector: string;
	/** The data as 0x-hex in lower case; empty if no function is listed by its signature. */
	readonly data: string;
	/** What Contracts must allow; undefined for coins alone, and for content that only people read. */
	readonly wants?: string;
	/** Whether a limit of the token is enough to allow it: a function of ERC-20 for own tokens, or a transfer of jettons. */
	readonly needsLimitOnly?: boolean;
	/** Who may receive these coins, in addition to the recipients. */
	readonly coinsFor: CoinTrust;
}

/** Nobody gets coins; nobody further; a contract that is listed together with the function; or also a token with a limit. */
export type CoinTrust = 'nothing' | 'recipient' | 'contract' | 'contractOrToken';

interface Tokens {
	readonly token: Address;
	/** The amount in the smallest unit; `all` if nothing limits it. */
	readonly amount: bigint | 'all';
	/** Describes the effect on this amount; undefined is the whole balance. */
	readonly about: (amount: string | undefined) => string;
	/** Describes that the token has no limit but needs one. */
	readonly unlimited?: () => string;
}

/** Tokens that somebody gets at once. */
export interface Move extends Tokens {
	readonly receivers: readonly Address[];
}

/** Tokens that somebody may take later. */
export interface Approval extends Tokens {
	readonly spender: Address;
	/** The contracts on which it takes an approval back and gives nothing to anybody. */
	readonly revokesOn: RevokesOn;
}

export type RevokesOn = 'anyContract' | 'tokens' | 'none';

export type CallEffects = Pick<Effects, 'calls' | 'moves' | 'approvals'>;

/** Decodes a payment of coins only. A payment of 0 to oneself replaces a pending transaction. */
export function decodePayment(to: Address): CallEffects {
	return {
		calls: [{ to, selector: '', data: '', coinsFor: 'recipient' }],
		moves: [],
		approvals: [],
	};
}

/** A receiver gets tokens at once, a spender may take them later. */
export type PartyRole = 'receiver' | 'spender';

/** The content of a call that moves tokens, or allows somebody to move them. */
export interface TokenCall {
	readonly name: string;
	/** Who gets the tokens, or may take them. */
	readonly party: Address;
	readonly role: PartyRole;
	/** The owner of the tokens; undefined if only the signer can be the owner. */
	readonly owner: Address | undefined;
	readonly amount: Move['amount'];
	/** Whether ERC-20 has this function, so that a limit is enough to allow it. */
	readonly isErc20: boolean;
	readonly revokesOn: RevokesOn;
	readonly about: Move['about'];
}

interface CallPlace {
	readonly own: Address;
	readonly to: Address;
	readonly selector: string;
	readonly data: string;
	readonly coinsFor: CoinTrust;
}

/**
 * Decodes a call of a contract. If the rules do not know the function, there is no token call, and these words describe it.
 */
export function decodeTokenCall(
	{ own, ...place }: CallPlace,
	unknown: string,
	token: TokenCall | undefined,
): CallEffects {
	const { to } = place;
	const owner = token?.owner ?? own;
	const isOwn = owner === own;
	const about = isOwn ? '' : `, about tokens of ${formatAddress(owner)}`;
	const call: Call = {
		...place,
		wants: `the transaction calls ${token?.name ?? unknown} of ${formatAddress(to)}${about}`,
		needsLimitOnly: token?.isErc20 === true && isOwn,
	};
	return { calls: [call], ...listMoved(to, token) };
}

function listMoved(
	to: Address,
	token: TokenCall | undefined,
): { readonly moves: readonly Move[]; readonly approvals: readonly Approval[] } {
	if (!token) return { moves: [], approvals: [] };
	const { about, amount, party, revokesOn, role } = token;
	const tokens = { token: to, amount, about };
	return role === 'receiver'
		? { moves: [{ ...tokens, receivers: [party] }], approvals: [] }
		: { moves: [], approvals: [{ ...tokens, spender: party, revokesOn }] };
}
