import { formatSample, type Sample, type ShownSample } from '../sample.mts';
import type { World } from '../world.mts';
import { runChainNodes } from './chainNodes.mts';
import { runEvmReads } from './evmReads.mts';
import { runEvmTokens } from './evmTokens.mts';
import { runEvmTransactions } from './evmTransactions.mts';
import { runGrpc } from './grpc.mts';
import { runNfts } from './nfts.mts';
import { runPlatformNodes } from './platformNodes.mts';
import { runPolls } from './polls.mts';
import { runSigner } from './signer.mts';
import { runTriggers } from './triggers.mts';
import { runUtilities } from './utilities.mts';
import { runWallet } from './wallet.mts';

/** The makers run in this order, because each run changes the chain. */
const SAMPLE_MAKERS = [
	runEvmReads,
	runEvmTokens,
	runChainNodes,
	runPlatformNodes,
	runWallet,
	runGrpc,
	runUtilities,
	runSigner,
	runEvmTransactions,
	runPolls,
	runTriggers,
	runNfts,
];

/** Collects samples by node, then by operation or event. */
export async function collectSamples(world: World): Promise<Map<string, Map<string, ShownSample>>> {
	const samples: Sample[] = [];
	for (const make of SAMPLE_MAKERS) samples.push(...(await make(world)));
	const steady = await world.steady();
	const all = new Map<string, Map<string, ShownSample>>();
	for (const sample of samples) {
		const ofNode = all.get(sample.node) ?? new Map<string, ShownSample>();
		all.set(sample.node, ofNode.set(sample.part, formatSample(sample, steady)));
	}
	return all;
}
