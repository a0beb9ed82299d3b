import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { Signer } from '../../nodes/Signer/Signer.node';
import { credentialTypes } from './signerNode.mts';
import { SECRET } from './tonWallets.mts';

const node = new Signer();

interface Signing extends Partial<Omit<NodeRun, 'credentials'>> {
	readonly rules?: ICredentialDataDecryptedObject;
	readonly secret?: string;
}

/** Runs the node with a TON credential. Its default rules allow any amount to anybody. */
export async function runTonSigner(parameters: INodeParameters, more: Signing = {}) {
	const { rules = { maxAmount: 'unlimited' }, secret = SECRET, ...run } = more;
	return await runNode({
		node,
		parameters,
		credentials: { chainSignerTonApi: { secret, ...rules } },
		credentialTypes,
		...run,
	});
}

/** Signs the transfers in one run. Returns the output of each, or its error if it is refused. */
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

/** Returns the sentence about the worst case from the operation Get Rules. */
export async function readWorst(rules: ICredentialDataDecryptedObject): Promise<string> {
	const asking = { resource: 'account', operation: 'getRules', kind: 'ton' };
	const { items, error } = await runTonSigner(asking, { rules });
	if (error) throw error;
	return String(items[0]?.json.worst);
}
