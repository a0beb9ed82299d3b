import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { depositRuleFields } from './depositRules';

/** The credential has no `authenticate`, so no other node can send the key. */
export class ChainSignerDepositsApi implements ICredentialType {
	name = 'chainSignerDepositsApi';

	displayName = 'Chain Signer Deposits API';

	icon = { light: 'file:../icons/signer.svg', dark: 'file:../icons/signer.dark.svg' } as const;

	documentationUrl = 'https://example.com/n8n-nodes-chain-infra#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Account Private Key',
			name: 'accountPrivateKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				"The extended private key of an account (xprv, tprv), such as that of m/44'/60'/0', or of its receiving chain",
			hint: "xprv and 107 letters and digits. Use a seed for deposits alone: one address's private key and the xpub reveal all keys.",
		},
		...depositRuleFields,
	];
}
