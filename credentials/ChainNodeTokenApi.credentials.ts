import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';
import { withSecret, parseTokenAccess } from './endpoint';
import { limitFields } from './limits';

export class ChainNodeTokenApi implements ICredentialType {
	name = 'chainNodeTokenApi';

	displayName = 'Chain Node Token API';

	icon = { light: 'file:../icons/node.svg', dark: 'file:../icons/node.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Node Address',
			name: 'authToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The whole address, with the token in it (https or wss). It stays masked.',
			hint: 'In the console, open the node and copy its HTTPS or WebSocket address from the access details',
		},
		{
			displayName: 'Address Without Token',
			name: 'nodeUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://node.example.com',
			description:
				'Only if you have address and token apart: then Node Address takes the token alone',
		},
		...limitFields,
	];

	/** The token is the first segment of the path. n8n may authenticate a request twice. */
	authenticate: IAuthenticate = async (credential, request) => {
		const token = `/${parseTokenAccess(credential).segment}`;
		const isPresent = (path: string) => `${path.split('?')[0]}/`.startsWith(`${token}/`);
		return withSecret(credential, request, {
			path: (path) => (isPresent(path) ? path : token + path),
		});
	};
}
