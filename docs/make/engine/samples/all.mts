import { shownOf, type Sample, type Shown } from '../sample.mts';
import type { World } from '../world.mts';
import { chainNodes } from './chainNodes.mts';
import { evmReads } from './evmReads.mts';
import { evmTokens } from './evmTokens.mts';
import { evmTransactions } from './evmTransactions.mts';
import { grpcSamples } from './grpc.mts';
import { nftSamples } from './nfts.mts';
import { platformNodes } from './platformNodes.mts';
import { pollSamples } from './polls.mts';
import { signer } from './signer.mts';
import { triggerSamples } from './triggers.mts';
import { utilities } from './utilities.mts';
import { wallet } from './wallet.mts';

/** One after another, in this order: each run leaves its traces on the chain. */
const MAKERS = [
	...[evmReads, evmTokens, chainNodes, platformNodes, wallet, grpcSamples],
	...[utilities, signer, evmTransactions, pollSamples, triggerSamples, nftSamples],
];

/** By node, then by operation or event. */
export async function samplesIn(world: World): Promise<Map<string, Map<string, Shown>>> {
	const samples: Sample[] = [];
	for (const make of MAKERS) samples.push(...(await make(world)));
	const steady = await world.steady();
	const all = new Map<string, Map<string, Shown>>();
	for (const sample of samples) {
		const ofNode = all.get(sample.node) ?? new Map<string, Shown>();
		all.set(sample.node, ofNode.set(sample.part, shownOf(sample, steady)));
	}
	return all;
}
