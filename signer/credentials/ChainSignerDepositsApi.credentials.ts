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
				"The extended private key (xprv or tprv, then 107 characters) from which n8n computes the keys of all deposit addresses. Export it from your wallet at the derivation path m/44'/60'/0' (EVM chains) or m/44'/195'/0' (TRON). The key one level below (…/0) works as well.",
			hint: 'Use a new wallet for deposits only. Its xpub (public key) and the private key of one address together reveal all keys.',
		},
		...depositRuleFields,
	];
}
