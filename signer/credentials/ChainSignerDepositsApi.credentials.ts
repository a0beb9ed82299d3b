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
				"The extended private key (xprv, tprv) that all deposit addresses come from: that of an account such as m/44'/60'/0', or of its receiving chain (…/0)",
			hint: "xprv and 107 characters. Use a seed for deposits alone: whoever has its xpub and one address's key can find all keys.",
		},
		...depositRuleFields,
	];
}
