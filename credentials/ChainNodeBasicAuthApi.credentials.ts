import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';
import { Refusal } from '../nodes/core/refusal';
import { atEndpoint } from './endpoint';

export class ChainNodeBasicAuthApi implements ICredentialType {
	name = 'chainNodeBasicAuthApi';

	displayName = 'Chain Node Basic Auth API';

	icon = { light: 'file:../icons/node.svg', dark: 'file:../icons/node.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Node URL',
			name: 'nodeUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://node.example.com',
			description: 'The address of the node',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			required: true,
			default: '',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
	];

	authenticate: IAuthenticate = async (credential, request) => {
		const { username, password } = credential;
		if (!username || !password) {
			throw new Refusal('The Username or the Password of the credential is empty');
		}
		// The first colon ends the user name on the wire.
		if (String(username).includes(':')) {
			throw new Refusal('The Username of the credential must not contain a colon');
		}
		const encoded = Buffer.from(`${username}:${password}`).toString('base64');
		return atEndpoint(credential, request, { headers: { Authorization: `Basic ${encoded}` } });
	};
}
