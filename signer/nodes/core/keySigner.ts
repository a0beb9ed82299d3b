import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InvalidInput } from '../../../nodes/core';
import type { Key, Keys } from './library';

const KEY = /^(?:0x)?([0-9a-f]{64})$/i;

/** The key of a credential. What was typed is in no error: it may be a key with one character too many. */
export function keyIn(keys: Keys, { privateKey }: ICredentialDataDecryptedObject): Key {
	const [, digits] = KEY.exec(String(privateKey ?? '').trim()) ?? [];
	const key = digits === undefined ? undefined : keys.keyOf(Buffer.from(digits, 'hex'));
	if (key) return key;
	throw new InvalidInput(
		'The Private Key of the credential must be 32 bytes as hex: 64 digits, with or without 0x before them',
		digits === undefined
			? 'Open the credential and enter it again.'
			: 'These 32 bytes are no key of secp256k1: they are 0, or too large.',
	);
}
