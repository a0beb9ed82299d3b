import type { Connect } from './client';
import { authentication } from './fields';
import { parameterReader, parameterSource } from './parameters';

const CREDENTIALS = { token: 'chainNodeTokenApi', basicAuth: 'chainNodeBasicAuthApi' } as const;

/** A client with the credential that the user picked. */
export function nodeClient<Request>(
	clientFor: (credentialType: string) => Connect<Request>,
): Connect<Request> {
	return async (context, halt) => {
		const chosen = parameterReader(parameterSource(context), [authentication])(0);
		return await clientFor(CREDENTIALS[chosen.authentication])(context, halt);
	};
}
