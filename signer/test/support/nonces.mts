import { createHmac } from 'node:crypto';
import { KEY } from './accounts.mts';

/** Computes a nonce as the documentation describes it, without the code of the rules. */
export function nonceOf(number: number, day: number, token: string): string {
	const text = `EIP-3009 ${token.toLowerCase()} ${day} ${number}`;
	const tag = createHmac('sha256', Buffer.from(KEY.slice(2), 'hex'))
		.update(text)
		.digest('hex');
	return `0x${tag.slice(0, 48)}${number.toString(16).padStart(16, '0')}`;
}
