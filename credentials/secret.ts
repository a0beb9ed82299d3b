import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Refusal } from './refusal';

/** A secret as it is sent. White space around it, as copying leaves it, does not count. */
export function cleanSecret(value: unknown, field: string): string {
	const given = String(value ?? '').trim();
	if (given === '') throw new Refusal(`The ${field} of the credential is empty`);
	if (/[^\x21-\x7e]/.test(given)) {
		throw new Refusal(
			`The ${field} of the credential contains spaces or characters that cannot be sent`,
		);
	}
	return given;
}

export function basicHeaders({ username, password }: ICredentialDataDecryptedObject) {
	if (!username || !password) {
		throw new Refusal('The Username or the Password of the credential is empty');
	}
	// The first colon ends the user name on the wire.
	if (String(username).includes(':')) {
		throw new Refusal('The Username of the credential must not contain a colon');
	}
	const encoded = Buffer.from(`${username}:${password}`).toString('base64');
	return { Authorization: `Basic ${encoded}` };
}
