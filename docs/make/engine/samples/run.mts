import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { ChainNodeXTokenApi } from '../../../../grpc/credentials/ChainNodeXTokenApi.credentials';
import { ChainSignerKeyApi } from '../../../../signer/credentials/ChainSignerKeyApi.credentials';
import { ChainSignerRemoteApi } from '../../../../signer/credentials/ChainSignerRemoteApi.credentials';
import { runNode } from '../../../../test/harness/engine.mts';
import { getChoices } from '../choices.mts';
import { getNode } from '../nodes.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';

/** The credential types of the other packages. */
export const credentialTypes = [
	new ChainNodeXTokenApi(),
	new ChainSignerKeyApi(),
	new ChainSignerRemoteApi(),
];

type Credentials = keyof World['sandbox']['credentials'];

/** Runs a node's operations in n8n's engine; it fails as they do. */
export function createOperationRunner(
	{ sandbox }: World,
	node: string,
	access: Credentials = 'token',
) {
	return async (
		part: string,
		parameters: INodeParameters = {},
		items?: readonly INodeExecutionData[],
	): Promise<Sample> => {
		const tested = getNode(node);
		const choice = getChoices(tested.description).find((one) => one.part === part);
		if (!choice) throw new Error(`${node} has no "${part}"`);
		const run = await runNode({
			node: tested,
			credentials: getCredentials(sandbox, access),
			credentialTypes,
			parameters: { ...choice.values, ...parameters },
			...(items && { items }),
		});
		if (run.error) throw run.error;
		return { node, part, parameters, items: getJson(run.items) };
	};
}

/** The credentials as n8n decrypts them. */
export function getCredentials({ credentials }: World['sandbox'], access: Credentials) {
	return credentials[access] as Readonly<Record<string, ICredentialDataDecryptedObject>>;
}

export function getJson(items: readonly INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}
