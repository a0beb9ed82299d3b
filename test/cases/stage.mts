import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { utils } from 'tronweb';
import { encodeFunctionData, numberToHex, type Abi } from 'viem';
import { ChainNodeXTokenApi } from '../../grpc/credentials/ChainNodeXTokenApi.credentials';
import { ChainSignerKeyApi } from '../../signer/credentials/ChainSignerKeyApi.credentials';
import { buildFileInMemory, storeFile } from '../harness/binary.mts';
import { deployContract } from '../harness/contract.mts';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { registerName } from '../harness/names.mts';
import { getNode } from '../harness/nodes.mts';
import { startSandbox, TEST_ADDRESS, TEST_KEY, type Sandbox } from '../harness/sandbox.mts';
import { NAME, type Case, type Scene } from './case.mts';

type Facts = Omit<Scene, 'first'>;

/** The sandbox with all that the cases need, and n8n's engine to run them in. */
export interface Stage {
	readonly sandbox: Sandbox;
	readonly scene: Scene;
	/** Gives an account some of the token. */
	give(to: string, amount: bigint): Promise<{ readonly transactionHash: string }>;
	/** Has the payer pay the other account. */
	pay(wei: bigint): Promise<unknown>;
	/** Makes another NFT for an account. */
	mint(to: string, tokenId: bigint): Promise<unknown>;
	/** Runs a node for these items; without any, for one that has a file. */
	run(
		node: string,
		parameters: INodeParameters,
		items?: readonly INodeExecutionData[],
		onError?: 'continueRegularOutput',
	): Promise<NodeResult>;
	/** What a case gives for its parameters, or for others; fails where it does. */
	outputs(node: string, one: Case, parameters: INodeParameters): Promise<IDataObject[]>;
	stop(): Promise<void>;
}

export const FILE = { data: buildFileInMemory(Buffer.from('content'), { fileName: 'a.txt' }) };

/** The types of credentials that the other packages bring. */
const credentialTypes = [new ChainNodeXTokenApi(), new ChainSignerKeyApi()];

export async function startStage({ grpc = false } = {}): Promise<Stage> {
	const sandbox = await startSandbox({ chain: true, grpc });
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
		const { items: found, error } = await run(node, { resource, operation, ...parameters }, items);
		if (error) throw error;
		return found.map(({ json }) => json);
	};
	const first: Scene['first'] = async (node, parameters) => {
		const { items, error } = await run(node, parameters);
		if (error) throw error;
		return items[0]?.json ?? {};
	};
	const { facts, ...more } = await buildChain(sandbox);
	const stop = async () => await sandbox.stop();
	return { sandbox, run, outputs, stop, scene: { ...facts, first }, ...more };
}

function collectCredentials({ credentials }: Sandbox) {
	const { token, platform, xToken, signerKey } = credentials;
	// Whether there is gRPC says the caller.
	return { ...token, ...platform, ...signerKey, ...(xToken as object) };
}

const store = async ({ name, text }: { name: string; text: string }) =>
	await storeFile(Buffer.from(text), { fileName: name, mimeType: 'text/plain' });

const ONE_ETHER_WEI = 10n ** 18n;
const GIFT = 2_500_000n;
const PAYMENTS = [ONE_ETHER_WEI, (3n * ONE_ETHER_WEI) / 2n];
const METADATA = { name: 'Umbrella #7', image: 'ipfs://bafy…/7.png' };

/** A chain on which a few things have happened, always the same. */
async function buildChain(sandbox: Sandbox) {
	const [owner = '', payer = '', other = ''] = (await sandbox.chain('eth_accounts')) as string[];
	// Else blocks of the same second could not be told apart.
	await sandbox.chain('anvil_setBlockTimestampInterval', 12);
	// What is sent is soon irreversible.
	await sandbox.control('PUT', '/wallet', { blockTime: 20 });
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const give: Stage['give'] = async (to, amount) =>
		await sandbox.mined({
			from: owner,
			to: coin.address,
			data: coin.data('transfer(address,uint256)', BigInt(to), amount),
		});
	const pay = async (wei: bigint) =>
		await sandbox.mined({ from: payer, to: other, value: numberToHex(wei) });
	const { transactionHash: giftHash } = await give(payer, GIFT);
	const { name, url } = NAME;
	await registerName({ call: sandbox.chain, mine: sandbox.mined }, name, payer, url);
	await give(other, 750_000n);
	for (const wei of PAYMENTS.slice(0, -1)) await pay(wei);
	const { transactionHash } = await pay(PAYMENTS.at(-1)!);
	const last = await sandbox.chain('eth_getTransactionByHash', transactionHash);
	const { blockHash, blockNumber } = last as { blockHash: string; blockNumber: string };
	const { address: contract, mint } = await deployNfts(sandbox);
	await mint(payer, 7n);
	const editions = await deployContract(sandbox, 'Editions', { file: 'Nfts' });
	const several = editions.data('mint(address,uint256,uint256)', BigInt(owner), 1, 5);
	await sandbox.mined({ from: owner, to: editions.address, data: several });
	const facts: Facts = {
		owner,
		payer,
		payments: PAYMENTS,
		lastPayment: { transactionHash, blockHash, blockNumber: Number(blockNumber) },
		holder: payer,
		gifts: [GIFT],
		giftHash,
		token: {
			address: coin.address,
			name: 'Test Coin',
			symbol: 'TC€',
			decimals: 6,
			totalSupply: 1_000_000_500_000n,
		},
		nft: { contract, tokenId: '7', name: 'Collection ☂', symbol: 'COLL', metadata: METADATA },
		other,
		signerAddress: TEST_ADDRESS,
		signerKey: TEST_KEY,
		...createWitnessAccount(),
		chain: sandbox.chain,
		control: async (path) => await sandbox.control('GET', path),
	};
	return { facts, give, pay, mint };
}

async function deployNfts(sandbox: Sandbox) {
	const { address, owner, abi } = await deployContract(sandbox, 'Collection', { file: 'Nfts' });
	const uri = `data:application/json,${JSON.stringify(METADATA)}`;
	const mint: Stage['mint'] = async (to, tokenId) =>
		await sandbox.mined({
			from: owner,
			to: address,
			gas: numberToHex(500_000),
			data: encodeFunctionData({
				abi: abi as Abi,
				functionName: 'mint',
				args: [to, tokenId, uri],
			}),
		});
	return { address, mint };
}

function createWitnessAccount(): Pick<Scene, 'witnessOwner' | 'sign'> {
	const key = '1'.repeat(64);
	return {
		witnessOwner: String(utils.address.fromPrivateKey(key)),
		sign: async (built) => {
			const copy = structuredClone(built) as never;
			return await Promise.resolve(JSON.stringify(utils.crypto.signTransaction(key, copy)));
		},
	};
}
