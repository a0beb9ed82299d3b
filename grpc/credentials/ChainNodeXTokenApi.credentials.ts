import type { ICredentialType, INodeProperties } from 'n8n-workflow';

export class ChainNodeXTokenApi implements ICredentialType {
	name = 'chainNodeXTokenApi';

	displayName = 'Chain Node X-Token API';

	icon = { light: 'file:../icons/grpc.svg', dark: 'file:../icons/grpc.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Endpoint',
			name: 'endpoint',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. node.example.com:443',
			description: 'The host and port of the chain node, without https:// and without a path',
			hint: "In your provider's console, the chain node's access details show a gRPC endpoint if the chain has one",
		},
		{
			displayName: 'X-Token',
			name: 'xToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token that every call carries in its metadata',
			hint: "In your provider's console, beside the gRPC endpoint",
		},
		{
			displayName: 'Use TLS',
			name: 'tls',
			type: 'boolean',
			default: true,
			description: 'Whether the connection is encrypted. It may be off for this computer only.',
		},
	];
}
