import type { INodeCredentialDescription } from 'n8n-workflow';
import type { NodeContext } from './context';
import type { Connect } from './operation/client';
import { parameterReader, parameterSource } from './operation/parameters';
import { authentication } from './operation/sharedFields';

/** For nodes that talk to a chain node. The field Authentication picks one. */
export const nodeCredentials: INodeCredentialDescription[] = [
	{
		name: 'chainNodeTokenApi',
		required: true,
		testedBy: 'nodeToken',
		displayOptions: { show: { authentication: ['token'] } },
	},
	{
		name: 'chainNodeBasicAuthApi',
		required: true,
		testedBy: 'nodeBasicAuth',
		displayOptions: { show: { authentication: ['basicAuth'] } },
	},
];

const CREDENTIALS = { token: 'chainNodeTokenApi', basicAuth: 'chainNodeBasicAuthApi' } as const;

export function nodeClient<Request, Context extends NodeContext>(
	clientFor: (credentialType: string) => Connect<Request, Context>,
): Connect<Request, Context> {
	return async (context, stop) => await clientFor(nodeCredential(context))(context, stop);
}

/** The credential type that Authentication picks. */
export function nodeCredential(context: NodeContext) {
	const chosen = parameterReader(parameterSource(context), [authentication])(0);
	return CREDENTIALS[chosen.authentication];
}

/** The same from the value in the editor's form. */
export function nodeCredentialOf(given: unknown) {
	return given === 'basicAuth' ? CREDENTIALS.basicAuth : CREDENTIALS.token;
}
