import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { encodeFunctionData, type Abi } from 'viem';
import { buildFileInMemory } from '../../harness/binary.mts';
import { deployContract } from '../../harness/contract.mts';
import { runNode, type NodeResult } from '../../harness/engine.mts';
import { registerName } from '../../harness/names.mts';
import { startSandbox, type Sandbox } from '../../harness/sandbox.mts';
import type { Scene } from './cases.mts';

/** The service with everything on its chain that the cases need. */
export interface Stage {
	readonly sandbox: Sandbox;
	readonly scene: Scene;
	/** Runs a node for these items; without any, for one item with a file. */
	run(
		node: INodeType,
		parameters: INodeParameters,
		items?: readonly INodeExecutionData[],
		onError?: 'continueRegularOutput',
	): Promise<NodeResult>;
	/** Returns the output of an operation; fails where it does. */
	outputs(node: INodeType, parameters: INodeParameters): Promise<IDataObject[]>;
	stop(): Promise<void>;
}

export const FILE = { data: buildFileInMemory(Buffer.from('content'), { fileName: 'a.txt' }) };

export async function startStage(): Promise<Stage> {
	const sandbox = await startSandbox({ chain: true });
	const run: Stage['run'] = async (
		node,
		parameters,
		items = [{ json: {}, binary: FILE }],
		onError,
	) => {
		const { token, platform } = sandbox.credentials;
		return await runNode({
			node,
			parameters,
			credentials: { ...token, ...platform },
			items,
			onError,
		});
	};
	const outputs: Stage['outputs'] = async (node, parameters) => {
		const { items, error } = await run(node, parameters);
		if (error) throw error;
		return items.map(({ json }) => json);
	};
	const first: Scene['first'] = async (node, parameters) => (await outputs(node, parameters))[0]!;
	const scene = { ...(await buildScene(sandbox)), first };
	return { sandbox, scene, run, outputs, stop: async () => await sandbox.stop() };
}

async function buildScene(sandbox: Sandbox): Promise<Omit<Scene, 'first'>> {
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const [owner, other] = (await sandbox.chain('eth_accounts')) as [string, string];
	const data = coin.data('transfer(address,uint256)', BigInt(other), 5);
	const { transactionHash } = await sandbox.mined({ from: owner, to: coin.address, data });
	const chain = { call: sandbox.chain, mine: sandbox.mined };
	await registerName(chain, 'wallet.example.eth', owner, 'https://example.com');
	const nfts = await deployContract(sandbox, 'Collection', { file: 'Nfts' });
	const editions = await deployContract(sandbox, 'Editions', { file: 'Nfts' });
	const mint = encodeFunctionData({
		abi: nfts.abi as Abi,
		functionName: 'mint',
		args: [owner, 1n, 'data:,{"name":"One"}'],
	});
	await sandbox.mined({ from: owner, to: nfts.address, data: mint });
	const several = editions.data('mint(address,uint256,uint256)', BigInt(owner), 1, 5);
	await sandbox.mined({ from: owner, to: editions.address, data: several });
	const { blockHash } = (await sandbox.chain('eth_getTransactionByHash', transactionHash)) as {
		blockHash: string;
	};
	return { owner, token: coin.address, nfts: nfts.address, transactionHash, blockHash };
}
