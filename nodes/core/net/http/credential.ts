import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InvalidInput } from '../../errors/invalidInput';
import { parsePlainData } from '../../values/plainData';
import { catching, InvalidValue } from '../../values/parse';

/** Returns the decrypted credential as plain data, because its fields may be expressions that return anything. */
export async function getPlainCredential(
	context: Pick<FunctionsBase, 'getCredentials'>,
	credentialType: string,
): Promise<ICredentialDataDecryptedObject> {
	return parseCredential(await context.getCredentials(credentialType));
}

/** Copies a decrypted credential as plain data. */
export function parseCredential(
	given: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	const data = catching(InvalidValue, () => parsePlainData(given));
	if (!(data instanceof InvalidValue)) return data as ICredentialDataDecryptedObject;
	throw new InvalidInput(
		'The credential must hold text, numbers, lists and objects only',
		'An expression in one of its fields gives something else.',
	);
}
