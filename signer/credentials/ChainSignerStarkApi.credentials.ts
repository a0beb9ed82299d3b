import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { starkRuleFields } from './starkRules';

/** The credential has no `authenticate`, so no other node can send the key. */
export class ChainSignerStarkApi implements ICredentialType {
	name = 'chainSignerStarkApi';

	displayName = 'Chain Signer STARK API';

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
			description: 'The key of the account that signs: up to 64 hex digits, with or without 0x',
			hint: 'Up to 64 hex digits. Make a new account for n8n, and put no more into it than may be lost.',
		},
		{
			displayName: 'Account Address',
			name: 'accountAddress',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0x00a5dcdc5bf8ad05b4ebd8c7f3a1f5d9a7c4ea9d2fb0d0ab8f9e1c3b4d5e6f70',
			description:
				'The address of the account that the private key signs for. The account must have no guardian (second signer). The contract of the account must be written in the language Cairo, version 1 or later.',
		},
		...starkRuleFields,
	];
}
