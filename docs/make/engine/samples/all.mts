import { formatSample, type Sample, type ShownSample } from '../sample.mts';
import type { Stabilize } from '../steady.mts';
import type { World } from '../world.mts';
import { runCases } from './cases.mts';
import { runGrpcTrigger } from './grpcTrigger.mts';
import { runPolls } from './polls.mts';
import { runTriggers } from './triggers.mts';
import { runWitnessPolls } from './witnessPolls.mts';

/** The functions that make samples. They run in this order, because each run changes the chain for the next. */
const SAMPLE_MAKERS = [runCases, runGrpcTrigger, runPolls, runTriggers, runWitnessPolls];

export async function collectSamples(world: World): Promise<readonly Sample[]> {
	const samples: Sample[] = [];
	for (const make of SAMPLE_MAKERS) samples.push(...(await make(world)));
	return samples;
}

/** Formats samples for the pages. They are grouped by node, then by operation or event. */
export function formatSamples(
	samples: readonly Sample[],
	steady: Stabilize,
): Map<string, Map<string, ShownSample>> {
	const all = new Map<string, Map<string, ShownSample>>();
	for (const sample of samples) {
		const ofNode = all.get(sample.node) ?? new Map<string, ShownSample>();
		all.set(sample.node, ofNode.set(sample.part, formatSample(sample, steady)));
	}
	return all;
}
