import { throwForbidden } from './refusal';
import type { Rules } from './rules';

export function checkMessages({ allowMessages }: Rules): void {
	if (allowMessages) return;
	throwForbidden('allowMessages', {
		wants: 'a message is to be signed',
		allowed: 'allowed: no messages',
	});
}

export function checkTypedData({ allowTypedData }: Rules): void {
	if (allowTypedData) return;
	throwForbidden('allowTypedData', {
		wants: 'typed data is to be signed',
		allowed: 'allowed: no typed data',
	});
}
