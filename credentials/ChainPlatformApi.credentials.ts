import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';
import { withSecret, parseSecret } from './endpoint';

export class ChainPlatformApi implements ICredentialType {
	name = 'chainPlatformApi';

	displayName = 'Chain Platform API';

	icon = {
		light: 'file:../icons/platform.svg',
		dark: 'file:../icons/platform.dark.svg',
	} as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: "The address of your blockchain platform's API, without /v1",
			hint: 'The console (website) of your blockchain platform shows the address beside the API keys',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API key of your blockchain platform. The key has many privileges, so keep it secret.',
			hint: 'Generate a key in the console (website) of your blockchain platform, where API keys are managed',
		},
	];

	authenticate: IAuthenticate = async (credential, request) =>
		withSecret(credential, request, {
			headers: { Authorization: `Bearer ${parseSecret(credential.apiKey, 'API Key')}` },
		});
}
