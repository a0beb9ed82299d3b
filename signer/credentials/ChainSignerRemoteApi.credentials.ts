import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { transactionRuleFields } from './families';

/** The credential has no `authenticate`, so no other node can send the password. */
export class ChainSignerRemoteApi implements ICredentialType {
	name = 'chainSignerRemoteApi';

	displayName = 'Chain Signer Remote API';

	icon = { light: 'file:../icons/signer.svg', dark: 'file:../icons/signer.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://signer.example.com',
			description:
				'The address of a signing service such as Web3Signer, with the methods eth_accounts and eth_signTransaction',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			description: 'For basic authentication by the signer or its proxy',
			hint: 'Leave username and password empty if the signer asks for neither',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
		{
			displayName: 'Address',
			name: 'address',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description:
				'The address of the account that signs. The signer at the URL must have its key.',
		},
		...transactionRuleFields,
	];
}
