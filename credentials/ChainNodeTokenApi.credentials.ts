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
				'The whole address of the chain node (https or wss), with its access token if it has one. It stays masked.',
			hint: "Any RPC address of the chain. Your provider's console shows it in the access details of the chain node.",
		},
		{
			displayName: 'Address Without Token',
			name: 'nodeUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://node.example.com',
			description:
				'Leave Address Without Token empty if Node Address holds the whole address. If your provider shows the access token separately, enter the address in Address Without Token. Then enter only the token in Node Address, which n8n masks.',
		},
		...limitFields,
	];

	/**
	 * The token is the first segment of the path. It is not added again to a complete path, because n8n may authenticate a request twice.
	 */
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
