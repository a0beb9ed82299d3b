import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { Signer } from '../../nodes/Signer/Signer.node';
import { credentialTypes } from './signerNode.mts';

/** The secret of Alice in the sandbox: everybody knows it. */
export const SECRET = '22'.repeat(32);
export const KEYS = keyPairFromSeed(Buffer.from(SECRET, 'hex'));

const { publicKey } = KEYS;
const test = { networkGlobalId: -3, context: { walletVersion: 'v5r1', workchain: 0 } } as const;

/** Her wallets, by another implementation. */
export const WALLETS = {
	v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
	v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
	v5r1: WalletContractV5R1.create({ publicKey }),
	v5r1Test: WalletContractV5R1.create({
		publicKey,
		walletId: { ...test, context: { ...test.context, subwalletNumber: 0 } },
	}),
};

export const formatWallet = (name: keyof typeof WALLETS) =>
	WALLETS[name].address.toString({ bounceable: false, testOnly: name === 'v5r1Test' });

interface Signing extends Partial<Omit<NodeRun, 'credentials'>> {
	readonly rules?: ICredentialDataDecryptedObject;
	readonly secret?: string;
}

/** Runs the node with the credential of the TON chain; by default its rules allow any amount to anybody. */
export async function runTonSigner(parameters: INodeParameters, more: Signing = {}) {
	const { rules = { maxAmount: 'unlimited' }, secret = SECRET, ...run } = more;
	return await runNode({
		node: new Signer(),
		parameters,
		credentials: { chainSignerTonApi: { secret, ...rules } },
		credentialTypes,
		...run,
	});
}

/** Returns what comes out for each transfer; an error in place of what is refused. */
export async function signTransfers(transfers: readonly object[], more: Signing = {}) {
	const { items, error } = await runTonSigner(
		{ resource: 'tonTransfer', operation: 'sign', transfer: '={{ $json }}' },
		{
			items: transfers.map((json) => ({ json: json as never })),
			onError: 'continueRegularOutput',
			...more,
		},
	);
	if (error) throw error;
	return items.map(({ json }) => json);
}
