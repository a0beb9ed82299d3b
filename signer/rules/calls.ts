import { formatAddress, type Address } from './addresses';
import type { Approval, Call, CoinTrust, Effects, Move, RevokesOn } from './effects';

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
