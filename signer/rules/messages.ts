import { checkTakesNonce } from './budget';
import { forbid } from './refusal';
import type { Secp256k1Rules } from './rules';

export function checkMessages(rules: Secp256k1Rules): void {
	checkTakesNonce(rules.budget, 'a message');
	if (rules.allowMessages) return;
	forbid('allowMessages', {
		wants: 'a message is to be signed',
		allowed: 'Allowed: no messages',
	});
}
