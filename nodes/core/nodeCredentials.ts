import type { INodeCredentialDescription } from 'n8n-workflow';
import type { NodeContext } from './context';
import type { Connect } from './operation/client';
import { createParameterParser, createParameterSource } from './operation/parameters';
import { authentication } from './operation/sharedFields';

export const tokenCredential: INodeCredentialDescription = {
	name: 'chainNodeTokenApi',
	required: true,
	testedBy: 'nodeToken',
	displayOptions: { show: { authentication: ['token'] } },
};

export const basicAuthCredential: INodeCredentialDescription = {
	name: 'chainNodeBasicAuthApi',
	required: true,
	testedBy: 'nodeBasicAuth',
	displayOptions: { show: { authentication: ['basicAuth'] } },
};

/** The credential types for nodes that call a chain node. The field Authentication chooses one of them. */
export const nodeCredentials = [tokenCredential, basicAuthCredential];

const CREDENTIAL_TYPES = {
	token: 'chainNodeTokenApi',
	basicAuth: 'chainNodeBasicAuthApi',
} as const;

export function connectNode<Request, Context extends NodeContext>(
	clientFor: (credentialType: string) => Connect<Request, Context>,
): Connect<Request, Context> {
	return async (context, stop) => await clientFor(getNodeCredentialType(context))(context, stop);
}

/** Returns the credential type that the field Authentication chooses. */
export function getNodeCredentialType(context: NodeContext) {
	const chosen = createParameterParser(createParameterSource(context), [authentication])(0);
	return CREDENTIAL_TYPES[chosen.authentication];
}

/** Returns the credential type for a value of the field Authentication in the editor. */
export function getCredentialTypeFor(given: unknown) {
	return given === 'basicAuth' ? CREDENTIAL_TYPES.basicAuth : CREDENTIAL_TYPES.token;
}
