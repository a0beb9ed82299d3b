import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InvalidInput } from '../../../credentials/invalidInput';
import { plainData } from '../values/plainData';
import { attempt, InvalidValue } from '../values/read';

/** What n8n decrypted, as plain data: a field of a credential can be an expression that reads the workflow. */
export async function readCredential(
	context: Pick<FunctionsBase, 'getCredentials'>,
	credentialType: string,
): Promise<ICredentialDataDecryptedObject> {
	const given = await context.getCredentials(credentialType);
	const data = attempt(InvalidValue, () => plainData(given));
	if (!(data instanceof InvalidValue)) return data as ICredentialDataDecryptedObject;
	throw new InvalidInput(
		'The credential must hold text, numbers, lists and objects only',
		'An expression in one of its fields gives something else.',
	);
}
