import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';
import { withSecret, buildBasicAuthHeaders } from './endpoint';
import { limitFields } from './limits';

export class ChainNodeBasicAuthApi implements ICredentialType {
	name = 'chainNodeBasicAuthApi';

	displayName = 'Chain Node Basic Auth API';

	icon = { light: 'file:../icons/node.svg', dark: 'file:../icons/node.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Node Address',
			name: 'nodeUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://node.example.com',
			description: 'The address of the chain node',
			hint: "In your provider's console, the chain node's access details show the HTTPS address for basic authentication",
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			required: true,
			default: '',
			hint: "In your provider's console, among the access details of the chain node",
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: "In your provider's console, beside the username",
		},
		...limitFields,
	];

	authenticate: IAuthenticate = async (credential, request) =>
		withSecret(credential, request, { headers: buildBasicAuthHeaders(credential) });
}
