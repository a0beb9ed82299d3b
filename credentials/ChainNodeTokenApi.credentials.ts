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
			description:
				'The whole address, with the token in it if it has one (https or wss). It stays masked.',
			hint: 'Any RPC address of the chain. In the console, it is among the access details of the node.',
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
		const { segment } = parseTokenAccess(credential);
		const token = `/${segment}`;
		const isComplete = (path: string) =>
			segment === '' || `${path.split('?')[0]}/`.startsWith(`${token}/`);
		return withSecret(credential, request, {
			path: (path) => (isComplete(path) ? path : token + path),
		});
	};
}
