import type { FollowedChain } from '../chain/follow';
import { InvalidInput } from '../errors/invalidInput';
import type { Field } from '../operation/field';
import type { ParameterSource } from '../operation/parameters';
import type { JsonObject } from '../values/json';
import { isDone } from './news';
import { parseEventChoice, type ChosenEvent, type TriggerEvent } from './triggerEvent';

/** An event that a poll can look for. */
export interface PollEvent<Source, View> extends TriggerEvent<Source, View> {
	readonly sample: Sample;
}

/** The latest event is shown while a workflow is built. */
export interface Sample {
	/** How many blocks are searched for a sample. By default, as many as a poll may read. */
	readonly maxBlocks?: number;
	/** The beginning of a sentence that says what was not found. */
	readonly none: string;
	/** The fields that the user should then check. */
	readonly check: string;
}

/** Reads which event the user chose, with its sample. */
export function choosePollEvent<Source, View>(
	source: ParameterSource,
	menu: Field,
	events: Readonly<Record<string, PollEvent<Source, View>>>,
): ChosenEvent<Source, View> & Pick<PollEvent<Source, View>, 'sample'> {
	const { choose, sample } = parseEventChoice(source, menu, events);
	return { ...choose(source), sample };
}

/** The blocks are those of a trigger with the option 'Max Blocks Per Poll'. */
interface SampleSearch {
	readonly followed: Pick<FollowedChain<never>, 'searchBack'>;
	readonly sample: Sample;
	readonly maxBlocks?: number;
	prepare?(): Promise<void>;
}

/** Reads the latest event, as a sample for the person who builds the workflow. */
export async function readSample(
	{ followed, sample, maxBlocks, prepare }: SampleSearch,
	deadline: number,
): Promise<JsonObject> {
	if (!(await isDone(prepare, deadline))) throw notPreparedError();
	const reach = { blocks: sample.maxBlocks ?? maxBlocks ?? Infinity, deadline };
	let searched = 0;
	for await (const { items, blocks } of followed.searchBack(reach)) {
		const latest = items.at(-1);
		if (latest) return latest;
		searched += blocks;
		reach.blocks -= blocks;
		if (reach.blocks <= 0 || Date.now() >= deadline) break;
	}
	throw noSampleError(sample, maxBlocks && searched);
}

function notPreparedError(): InvalidInput {
	return new InvalidInput(
		'The addresses are still being derived',
		"Try again in a minute, or lower 'Address Count' while you build the workflow.",
	);
}

function noSampleError({ none, check }: Sample, searchedBlocks: number | undefined): InvalidInput {
	const isLimited = searchedBlocks !== undefined;
	const further = isLimited
		? ", or raise the option 'Max Blocks Per Poll' to search further back"
		: '';
	return new InvalidInput(
		isLimited ? `${none} ${searchedBlocks} blocks` : none,
		`Check ${check}${further}. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}
