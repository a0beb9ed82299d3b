import { formatAddress, type Address } from './addresses';
import { listAllowed, throwForbidden } from './refusal';
import type { Rules } from './rules';
import type { PartyRole } from './tokenMoves';

export function checkRecipient({ recipients }: Rules, receiver: Address): void {
	if (recipients.length === 0 || recipients.includes(receiver)) return;
	throwForbidden('recipients', {
		wants: `${formatAddress(receiver)} would receive`,
		allowed: listAllowed(recipients.map(formatAddress)),
	});
}

/** Without Spenders, whoever may receive may also be approved. */
export function checkParty(rules: Rules, role: PartyRole, party: Address): void {
	const { spenders } = rules;
	if (role === 'receiver' || spenders.length === 0) return checkRecipient(rules, party);
	if (spenders.includes(party)) return;
	throwForbidden('spenders', {
		wants: `${formatAddress(party)} would be allowed to take tokens`,
		allowed: listAllowed(spenders.map(formatAddress)),
	});
}
