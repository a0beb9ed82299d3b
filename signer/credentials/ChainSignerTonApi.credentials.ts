import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { tonRuleFields } from './tonRules';

/** The credential has no `authenticate`, so no other node can send the secret. */
export class ChainSignerTonApi implements ICredentialType {
	name = 'chainSignerTonApi';

	displayName = 'Chain Signer TON API';

	icon = { light: 'file:../icons/signer.svg', dark: 'file:../icons/signer.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The 24 words of the wallet with blanks between, or its key: 32 bytes as hex, with or without 0x',
			hint: '24 words, or a key as hex. Make a new wallet for n8n, and put no more into it than may be lost.',
		},
		...tonRuleFields,
	];
}
