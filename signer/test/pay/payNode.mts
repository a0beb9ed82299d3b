import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import type { Sandbox } from '../../../test/harness/sandbox.mts';
import { Pay } from '../../nodes/Pay/Pay.node';
import { credentialTypes } from '../support/signerNode.mts';

const node = new Pay();

type Credentials = Readonly<Record<string, ICredentialDataDecryptedObject>>;

interface Paying extends Partial<Omit<NodeRun, 'credentials' | 'items'>> {
	readonly items?: readonly IDataObject[];
	/** Rules that replace those of the sandbox's signers. */
	readonly rules?: ICredentialDataDecryptedObject;
}

/** Runs Chain Pay with the sandbox's credentials. */
export async function runPay(sandbox: Sandbox, parameters: INodeParameters, more: Paying = {}) {
	const { items, rules = {}, ...run } = more;
	return await runNode({
		node,
		parameters: { authentication: 'token', ...parameters },
		credentials: withRules(sandbox, rules),
		credentialTypes,
		...(items && { items: items.map((json) => ({ json })) }),
		...run,
	});
}

function withRules({ credentials }: Sandbox, rules: ICredentialDataDecryptedObject): Credentials {
	const { signerKey, signerRemote, signerStark, signerTon } = credentials;
	const signers: Credentials = { ...signerKey, ...signerRemote, ...signerStark, ...signerTon };
	return {
		...credentials.token,
		...Object.fromEntries(
			Object.entries(signers).map(([name, data]) => [name, { ...data, ...rules }]),
		),
	};
}

/** Returns the items of a run. Throws if the run fails. */
export async function paid(sandbox: Sandbox, parameters: INodeParameters, more: Paying = {}) {
	const { items, error } = await runPay(sandbox, parameters, more);
	if (error) throw error;
	return items.map(({ json }) => json);
}
