import { formatAddress, type Address } from './addresses';

/** The effects of a transaction or of typed data. The rules see nothing else of it. */
export interface Effects {
	/** The account of the signer. */
	readonly own: Address;
	/** The kind of transaction or typed data. Undefined if the family has only one kind. */
	readonly kind?: { readonly name: string; readonly wants: string };
	/** Undefined if it names no chain. */
	readonly chain: { readonly id: bigint; readonly wants: string } | undefined;
	/** The nonce, or the name of a request that has no nonce. */
	readonly nonce: bigint | { readonly noneOf: string };
	/** Undefined if the decoder limits how long it can be held back, or if nothing does. In milliseconds since 1970. */
	readonly expiry: bigint | undefined;
	/** The nonce and times of an authorization (EIP-3009). Undefined for anything else. */
	readonly authorization?: Authorization;
	readonly coins: Spent | undefined;
	readonly fee: Spent | undefined;
	/** The coins that the transaction sends to contracts that it deploys. */
	readonly deployment?: { readonly amount: bigint; readonly wants: string };
	readonly calls: readonly Call[];
	readonly moves: readonly Move[];
	readonly approvals: readonly Approval[];
	/** Why the request is refused even if all rules allow it: no rule could limit what it does. */
	readonly unbounded?: { readonly why: string; readonly advice: string };
}

/** An authorization (EIP-3009). A token accepts it only once, because of its nonce. */
export interface Authorization {
	/** The day (UTC) on which it ends, counted since 1970. */
	readonly day: bigint;
	/** The time from which the authorization can be used, in milliseconds since 1970. */
	readonly validAfter: bigint;
	/** 0x and 64 hex digits. */
	readonly nonce: string;
	/** Returns the nonce with the given position on this day. The token accepts each nonce once. */
	readonly nonceAt: (number: bigint) => string;
	/** The position of its own nonce among them; undefined for any other nonce. */
	readonly number: bigint | undefined;
}

/** Coins that are spent. `wants` is the end of a sentence that describes the spending. */
export interface Spent {
	/** The amount in the smallest unit; `all` for the whole balance. */
	readonly amount: bigint | 'all';
	readonly wants: string;
}

/** A call of a contract, or coins that are sent to an address. */
export interface Call {
	readonly to: Address;
	/** The function as Contracts lists it; empty if Contracts lists only addresses. */
	readonly selector: string;
	/** The data as 0x-hex in lower case. Empty on chains where functions are not listed by signature. */
	readonly data: string;
	/** What Contracts must allow; undefined for coins alone, and for content that only people read. */
	readonly wants?: string;
	/**
	 * Whether a limit of the token is enough to allow the call: for ERC-20 functions on the signer's own tokens, and for transfers of
	 * jettons.
	 */
	readonly needsLimitOnly?: boolean;
	/** Who may receive these coins, in addition to the recipients. */
	readonly coinsFor: CoinTrust;
}

/** Who may receive the coins of a call: nobody, only recipients, also contracts listed with the function, or also limited tokens. */
export type CoinTrust = 'nothing' | 'recipient' | 'contract' | 'contractOrToken';

interface Tokens {
	readonly token: Address;
	/** The amount in the smallest unit; `all` if nothing limits it. */
	readonly amount: bigint | 'all';
	/** Describes the effect on this amount; undefined is the whole balance. */
	readonly about: (amount: string | undefined) => string;
	/** Says that the token needs a limit. Undefined if a token without a limit is allowed, too. */
	readonly unlimited?: () => string;
}

/** Tokens that the receivers get at once. */
export interface Move extends Tokens {
	readonly receivers: readonly Address[];
}

/** Tokens that the spender may take later. */
export interface Approval extends Tokens {
	readonly spender: Address;
	/** The contracts on which it takes an approval back and gives nothing to anybody. */
	readonly revokesOn: RevokesOn;
}

export type RevokesOn = 'anyContract' | 'tokens' | 'none';

export type CallEffects = Pick<Effects, 'calls' | 'moves' | 'approvals'>;

/** Decodes a payment that calls no function, so that Contracts need not allow it. */
export function decodePayment(to: Address): CallEffects {
	return {
		calls: [{ to, selector: '', data: '', coinsFor: 'recipient' }],
		moves: [],
		approvals: [],
	};
}

/** A receiver gets tokens at once, and a spender may take them later. */
export type PartyRole = 'receiver' | 'spender';

/** The content of a call that moves tokens, or allows somebody to move them. */
export interface TokenCall {
	readonly name: string;
	/** Who gets the tokens or may take them. */
	readonly party: Address;
	readonly role: PartyRole;
	/** The owner of the tokens; undefined if only the signer can be the owner. */
	readonly owner: Address | undefined;
	readonly amount: Move['amount'];
	/** Whether ERC-20 has this function. If so, a token limit allows the call without an entry in Contracts. */
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

/** Decodes a call of a contract. `token` is undefined for a function that the rules do not know; then `unknown` describes the call. */
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
