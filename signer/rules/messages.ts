import { checkTakesNonce } from './budget';
import { throwForbidden } from './refusal';
import type { Rules } from './rules';

export function checkMessages(rules: Rules): void {
	checkTakesNonce(rules.budget, 'a message');
	if (rules.allowMessages) return;
	throwForbidden('allowMessages', {
		wants: 'a message is to be signed',
		allowed: 'allowed: no messages',
	});
}
