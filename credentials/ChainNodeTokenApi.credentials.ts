import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';
import { Refusal } from './refusal';
import { atEndpoint, endpointOf } from './endpoint';
import { tokenSegment } from './secret';

export class ChainNodeTokenApi implements ICredentialType {
	name = 'chainNodeTokenApi';

	displayName = 'Chain Node Token API';

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
			description: 'The address of the node, without the token',
		},
		{
			displayName: 'Auth Token',
			name: 'authToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token that the console shows as the last part of the endpoint address',
		},
	];

	/** The token is the first segment of the path. It is not added twice: n8n may authenticate a request again. */
	authenticate: IAuthenticate = async (credential, request) => {
		const token = `/${tokenSegment(credential)}`;
		if (endpointOf(credential).prefix.endsWith(token)) {
			throw new Refusal(
				'The Node URL of the credential must not contain the token',
				'Remove the token from the end of the Node URL: it has a field of its own.',
			);
		}
		const isPresent = (path: string) => `${path.split('?')[0]}/`.startsWith(`${token}/`);
		return atEndpoint(credential, request, {
			path: (path) => (isPresent(path) ? path : token + path),
		});
	};
}
