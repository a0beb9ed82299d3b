import { encodeFunctionData, type Abi } from 'viem';
import { deployContract } from '../../../../test/harness/contract.mts';
import type { Sample } from '../sample.mts';
import { numberToHex, type World } from '../world.mts';
import { createPollSample } from './polls.mts';
import { createOperationRunner } from './run.mts';
import { createTriggerSample } from './triggers.mts';

const NFT_METADATA = 'data:application/json,{"name":"Umbrella #7","image":"ipfs://bafy…/7.png"}';

/** Runs after all others, because its transactions would change their output. */
export async function runNfts(world: World): Promise<Sample[]> {
	const { sandbox, payer, other } = world;
	const { address, owner, abi } = await deployContract(sandbox, 'Collection', { file: 'Nfts' });
	const send = async (functionName: string, ...args: unknown[]) => {
		const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
		return await sandbox.mined({ from: owner, to: address, gas: numberToHex(500_000), data });
	};
	await send('mint', payer, 7n, NFT_METADATA);
	const run = createOperationRunner(world, 'evmRpc');
	const shown = createPollSample(world);
	const started = createTriggerSample(world);
	return [
		await run('nft.get', { contract: address, tokenId: '7' }),
		await run('nft.getBalance', { contract: address, owner: payer }),
		await run('nft.getTransfers', { contracts: address, accounts: payer, fromBlock: 'earliest' }),
		await shown('nftTransfer', { contracts: address, accounts: payer }),
		await started(
			'nftTransfer',
			{ contracts: address },
			async () => await send('mint', other, 8n, NFT_METADATA),
		),
	];
}
