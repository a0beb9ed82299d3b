import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { ruleFields } from './families';

/** The credential has no `authenticate`, so no other node can send the key. */
export class ChainSignerKeyApi implements ICredentialType {
	name = 'chainSignerKeyApi';

	displayName = 'Chain Signer Key API';

	icon = { light: 'file:../icons/signer.svg', dark: 'file:../icons/signer.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Private Key',
			name: 'privateKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The key of the account that signs: 32 bytes as hex, with or without 0x',
			hint: '64 hex digits. Make a new key, such as with openssl rand -hex 32. Put no more into its account than may be lost.',
		},
		...ruleFields,
	];
}
