import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	INodeParameters,
} from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { ChainSignerDepositsApi } from '../../credentials/ChainSignerDepositsApi.credentials';
import { ChainSignerKeyApi } from '../../credentials/ChainSignerKeyApi.credentials';
import { ChainSignerRemoteApi } from '../../credentials/ChainSignerRemoteApi.credentials';
import { ChainSignerStarkApi } from '../../credentials/ChainSignerStarkApi.credentials';
import { ChainSignerTonApi } from '../../credentials/ChainSignerTonApi.credentials';
import { Signer } from '../../nodes/Signer/Signer.node';
import { ADDRESS, FRIEND, KEY } from './accounts.mts';

const node = new Signer();

export const credentialTypes = [
	new ChainSignerDepositsApi(),
	new ChainSignerKeyApi(),
	new ChainSignerRemoteApi(),
	new ChainSignerStarkApi(),
	new ChainSignerTonApi(),
];

export * from './accounts.mts';

type Rules = ICredentialDataDecryptedObject;

/** Rules that allow all common requests. */
export const GENEROUS: Rules = {
	chainIds: '1, 31337',
	maxAmount: '1000000000000',
	maxFee: '1000000000000',
	contracts: '*',
	allowDeployments: true,
	allowMessages: true,
	allowTypedData: true,
};

interface Signing extends Partial<Omit<NodeRun, 'credentials'>> {
	readonly rules?: Rules;
	readonly key?: string;
}

/** Runs Chain Signer with a credential that contains a private key and rules. */
export async function signWith(
	parameters: INodeParameters,
	more: Signing & Pick<Partial<NodeRun>, 'credentials'> = {},
) {
	const { rules = GENEROUS, key = KEY, ...run } = more;
	return await runNode({
		node,
		parameters: { authentication: 'key', ...parameters },
		credentials: { chainSignerKeyApi: { privateKey: key, ...rules } },
		credentialTypes,
		...run,
	});
}

/** Returns the output of the operation, and throws if the node fails. */
export async function signed(parameters: INodeParameters, more: Signing = {}) {
	const { items, error } = await signWith(parameters, more);
	if (error) throw error;
	return items.map(({ json }) => json);
}

export const signTransaction = (transaction: object): INodeParameters => ({
	resource: 'transaction',
	operation: 'sign',
	transaction: JSON.stringify(transaction),
});

/** A transfer of coins, as the operation Prepare returns it. */
export const TRANSFER = {
	type: '0x2',
	chainId: '0x7a69',
	from: ADDRESS,
	to: FRIEND,
	nonce: '0x5',
	gas: '0x5208',
	value: '0xde0b6b3a7640000',
	data: '0x',
	maxFeePerGas: '0x77359400',
	maxPriorityFeePerGas: '0x3b9aca00',
};

interface Asked {
	readonly resource: string;
	readonly credentialType: ICredentialType;
	readonly data: Rules;
}

/**
 * Runs the node with this object as the transaction, because expressions of n8n cannot make every object. Returns the output, or the error
 * of a refusal.
 */
export async function runWithObject(
	given: object,
	{ resource, credentialType, data }: Asked,
): Promise<IDataObject | Error> {
	const parameters: INodeParameters = {
		authentication: 'key',
		resource,
		operation: 'sign',
		options: {},
	};
	const context = {
		getInputData: () => [{ json: {} }],
		getNode: () => ({ name: 'Chain Signer', type: 'signer', typeVersion: 1 }),
		getNodeParameter: (
			name: string,
			_item: number,
			fallback: unknown,
			{ rawExpressions = false } = {},
		) => {
			if (name !== 'transaction') return parameters[name] ?? fallback;
			return rawExpressions ? '={{ whatever() }}' : given;
		},
		getTimezone: () => 'UTC',
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		getWorkflowDataProxy: () => ({}),
		getCredentials: async () => await Promise.resolve(data),
		getCredentialsProperties: () => credentialType.properties,
	};
	try {
		const [[item] = []] = await node.execute.call(context as never);
		return item?.json ?? {};
	} catch (error) {
		return error as Error;
	}
}

/** Signs a given object as an EVM transaction. Returns the signed transaction, or the error of a refusal. */
export async function signGiven(given: object, rules: Rules): Promise<string | Error> {
	const result = await runWithObject(given, {
		resource: 'transaction',
		credentialType: new ChainSignerKeyApi(),
		data: { privateKey: KEY, ...rules },
	});
	return result instanceof Error ? result : String(result.signedTransaction);
}
