import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ChainNodeXTokenApi } from '../../grpc/credentials/ChainNodeXTokenApi.credentials';
import { ChainSignerDepositsApi } from '../../signer/credentials/ChainSignerDepositsApi.credentials';
import { ChainSignerStarkApi } from '../../signer/credentials/ChainSignerStarkApi.credentials';
import { ChainSignerTonApi } from '../../signer/credentials/ChainSignerTonApi.credentials';
import { ChainSignerKeyApi } from '../../signer/credentials/ChainSignerKeyApi.credentials';
import { buildFileInMemory, storeFile } from '../harness/binary.mts';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { getNode } from '../harness/nodes.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';
import type { Case, Scene } from './case.mts';
import { buildChain, type BuiltChain } from './stageChain.mts';

/** The sandbox with everything that the cases need, and n8n's engine, which runs them. */
export interface Stage extends Pick<BuiltChain, 'give' | 'pay' | 'mint'> {
	readonly sandbox: Sandbox;
	readonly scene: Scene;
	/** Runs a node with the given items. Without items, it gets an item with a file. */
	run(
		node: string,
		parameters: INodeParameters,
		items?: readonly INodeExecutionData[],
		onError?: 'continueRegularOutput',
	): Promise<NodeResult>;
	/** Returns the output of a case with the given parameters. It fails if the node fails. */
	outputs(node: string, one: Case, parameters: INodeParameters): Promise<IDataObject[]>;
	stop(): Promise<void>;
}

export const FILE = { data: buildFileInMemory(Buffer.from('content'), { fileName: 'a.txt' }) };

/** The credential types of the other packages. */
const credentialTypes = [
	new ChainNodeXTokenApi(),
	new ChainSignerDepositsApi(),
	new ChainSignerKeyApi(),
	new ChainSignerStarkApi(),
	new ChainSignerTonApi(),
];

export async function startStage({ grpc = false } = {}): Promise<Stage> {
	const sandbox = await startSandbox({ chain: true, grpc });
	const { facts, give, pay, mint } = await buildChain(sandbox);
	const run: Stage['run'] = async (
		node,
		parameters,
		items = [{ json: {}, binary: FILE }],
		onError,
	) =>
		await runNode({
			node: getNode(node),
			parameters,
			credentials: collectCredentials(sandbox),
			credentialTypes,
			items,
			onError,
		});
	const outputs: Stage['outputs'] = async (node, { resource, operation, file }, parameters) => {
		const items = file && [{ json: {}, binary: { data: await store(file) } }];
		return getOutputs(await run(node, { resource, operation, ...parameters }, items));
	};
	const first: Scene['first'] = async (node, parameters) =>
		getOutputs(await run(node, parameters))[0] ?? {};
	const stop = async () => await sandbox.stop();
	return { sandbox, scene: { ...facts, first }, give, pay, mint, run, outputs, stop };
}

function getOutputs({ items, error }: NodeResult): IDataObject[] {
	if (error) throw error;
	return items.map(({ json }) => json);
}

function collectCredentials({ credentials }: Sandbox) {
	const { token, platform, signerDeposits, signerKey, signerStark, signerTon } = credentials;
	// A sandbox without gRPC has no address for this credential, and no node uses it then.
	const xToken = credentials.xToken as object;
	const keys = { ...signerDeposits, ...signerKey, ...signerStark, ...signerTon };
	return { ...token, ...platform, ...keys, ...xToken };
}

const store = async ({ name, text }: { name: string; text: string }) =>
	await storeFile(Buffer.from(text), { fileName: name, mimeType: 'text/plain' });
