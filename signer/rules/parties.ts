import { formatAddress, type Address } from './addresses';
import { listAllowed, throwForbidden } from './refusal';
import type { Rules } from './rules';
import type { PartyRole } from './tokenMoves';

/** Whoever is paid must be a recipient; what the account pays itself stays where it is. */
export function checkRecipient(rules: Rules, own: Address, receiver: Address): void {
	if (receiver !== own) checkListed(rules, receiver);
}

function checkListed({ recipients }: Rules, receiver: Address): void {
	if (recipients.length === 0 || recipients.includes(receiver)) return;
	throwForbidden('recipients', {
		wants: `${formatAddress(receiver)} would receive`,
		allowed: listAllowed(recipients.map(formatAddress)),
	});
}

/** Without Spenders, whoever is named as a recipient may also be approved. The account itself takes nothing by an approval. */
export function checkParty(rules: Rules, own: Address, role: PartyRole, party: Address): void {
	const { spenders } = rules;
	if (role === 'receiver') return checkRecipient(rules, own, party);
	if (spenders.length === 0) return checkListed(rules, party);
	if (spenders.includes(party)) return;
	throwForbidden('spenders', {
		wants: `${formatAddress(party)} would be allowed to take tokens`,
		allowed: listAllowed(spenders.map(formatAddress)),
	});
}
