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
				'The address of the remote signer: a program such as Web3Signer that keeps the private key. It must offer the methods eth_accounts and eth_signTransaction.',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			description:
				'The username that the remote signer, or a proxy in front of it, asks for (basic authentication)',
			hint: 'Leave Username and Password empty if the remote signer asks for no password',
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
				'The address of the account that signs. The remote signer (the program at the address in URL) must hold the private key of this account.',
		},
		...transactionRuleFields,
	];
}
