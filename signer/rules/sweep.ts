import { formatAddress, type Address } from './addresses';
import type { Effects } from './effects';
import type { Policy } from './policy';
import { forbid, listAllowed, refuse } from './refusal';

/** Finds the destination of a sweep. Tokens that may not be swept are refused here, before any call to the chain. */
export function findDestination(
	{ family, sweep }: Pick<Policy, 'family' | 'sweep'>,
	tokens: readonly Address[],
	token: Address | null,
): Address {
	if (token !== null && !tokens.includes(token)) {
		const wants = `the token ${formatAddress(token)} would be swept`;
		forbid(family.rules.limits, { wants, allowed: listAllowed(tokens.map(formatAddress)) });
	}
	return (
		sweep?.destination ??
		forbid(family.rules.recipients, {
			wants: 'what is swept has no destination',
			allowed: listAllowed([]),
		})
	);
}

/** Allows only a transfer to the destination that does not burn more than it moves. */
export function checkSweep({ family, sweep }: Policy, effects: Effects): void {
	if (!sweep) return;
	const { destination } = sweep;
	if (destination === effects.own) refuseDestination(destination);
	const receiver = findReceiver(effects);
	if (receiver === destination) return;
	const allowed = listAllowed(destination === undefined ? [] : [formatAddress(destination)]);
	forbid(family.rules.recipients, { wants: `${formatAddress(receiver)} would receive`, allowed });
}

/** Finds the receiver if the request is a single transfer, and refuses any other request. */
function findReceiver({ approvals, calls, coins, deployment, fee, moves }: Effects): Address {
	const amount = coins?.amount ?? 0n;
	const [call, ...otherCalls] = calls;
	const [move, ...otherMoves] = moves;
	if (approvals.length > 0 || deployment || otherCalls.length > 0 || otherMoves.length > 0)
		return refuseOther();
	if (move) {
		const [receiver, ...others] = move.receivers;
		const isTransfer = receiver !== undefined && others.length === 0 && amount === 0n;
		if (!isTransfer || move.amount === 'all') return refuseOther();
		return move.amount > 0n ? receiver : refuseEmpty();
	}
	if (!call || call.wants !== undefined || !coins || coins.amount === 'all') return refuseOther();
	const burnt = fee?.amount ?? 0n;
	return coins.amount > 0n && burnt !== 'all' && coins.amount >= burnt ? call.to : refuseEmpty();
}

function refuseOther(): never {
	refuse(
		'The key of deposits signs transfers to its destination alone, and this is something else',
		'Use Sweep of Chain Pay.',
	);
}

/**
 * Refuses a transfer whose fee may exceed its value. With many such transfers, a workflow could use up all coins of the address for fees.
 */
function refuseEmpty(): never {
	refuse(
		'The transaction would burn more than it brings: its coins must be worth its highest fee, and its tokens more than 0',
		'Sweep the address when there is more on it.',
	);
}

function refuseDestination(destination: Address): never {
	refuse(
		`${formatAddress(destination)} is the destination itself`,
		'What it holds is where it should be.',
	);
}
