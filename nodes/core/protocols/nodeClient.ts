import type { Connect } from './client';
import type { NodeContext } from '../context';
import { authentication } from '../operation/sharedFields';
import { parameterReader, parameterSource } from '../operation/parameters';

const CREDENTIALS = { token: 'chainNodeTokenApi', basicAuth: 'chainNodeBasicAuthApi' } as const;

/** A client with the credential that the user picked. */
export function nodeClient<Request, Context extends NodeContext>(
	clientFor: (credentialType: string) => Connect<Request, Context>,
): Connect<Request, Context> {
	return async (context, stop) => await clientFor(nodeCredential(context))(context, stop);
}

/** The type of the credential that the user picked. */
export function nodeCredential(context: NodeContext) {
	const chosen = parameterReader(parameterSource(context), [authentication])(0);
	return CREDENTIALS[chosen.authentication];
}

/** The same in the editor, from what stands in the form. */
export function nodeCredentialOf(given: unknown) {
	return given === 'basicAuth' ? CREDENTIALS.basicAuth : CREDENTIALS.token;
}
