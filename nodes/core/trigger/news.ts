import type { IPollFunctions } from 'n8n-workflow';
import type { FollowedChain, PresentChain, ReadLimits, Step, Saved } from '../chain/follow';
import { activationError } from '../errors/nodeError';
import { createTimeoutSignal, unlessAborted } from '../net/pacing/stop';
import { markHandled } from '../net/pacing/concurrency';
import type { JsonObject } from '../values/json';
import { isContinued, withStart } from './triggerEvent';
import { createHintLog, REMOVED_HINT, warnOfAnotherChain } from './hints';
import type { Start } from './startAt';
import { getNodeCredentialType } from '../nodeCredentials';

/** The largest number of items in a poll, because all of them are in memory at the same time. */
export const MAX_ITEMS_PER_POLL = 20_000;

/** The search that a poll continues, with the user's settings. */
export interface Watch<Position> {
	readonly followed: FollowedChain<Position>;
	/** A fingerprint of the user's choices. After a change, the trigger begins again at the latest block. */
	readonly watched: string;
	/** Prepares data that is needed before blocks are read. This may take longer than a poll. */
	prepare?(): Promise<void>;
	/** Where to begin; at the latest block by default. */
	readonly start?: Start;
	/** The number of blocks to read, not counting those before the first event. By default, there is no limit. */
	readonly maxBlocks?: number;
}

/** Reads new events since the last poll. The saved position changes only together with emitted items. */
export async function readNews<Position>(
	context: IPollFunctions,
	{ followed, watched: choice, start, prepare, maxBlocks }: Watch<Position>,
	deadline: number,
): Promise<readonly JsonObject[]> {
	const watched = withStart(choice, start?.name);
	const { saved, replace, replaceWith } = createPollStorage(context, followed.storage);
	const isSameChoice = saved !== undefined && isContinued(saved.watched, watched);
	if (!isSameChoice) await followed.check?.();
	const present = await followed.readPresent(saved);
	if (!present) return [];
	const isSameChain = saved !== undefined && present.isSameChain(saved);
	const isContinuing = isSameChain && isSameChoice;
	const hasLeft = saved !== undefined && !isSameChain;
	// Preparing may take long, so it starts when the trigger begins. The activation does not wait for it.
	if (!isContinuing && prepare) markHandled(prepare());
	const begun = isContinuing ? saved : await begin(present, isSameChoice ? undefined : start);
	if (!begun) return [];
	if (!isContinuing && !followed.startsAtPresent) {
		const isOurs = replace({ ...begun, watched });
		if (isOurs && hasLeft) warnOfAnotherChain(context, followed.formatPlace(begun));
		return [];
	}
	const readOn = (reach: ReadLimits) => present.readOn(begun, reach);
	const isPrepared = await waitForPreparation(prepare, deadline);
	const reading = isPrepared ? await readSteps(readOn, maxBlocks, deadline) : NOTHING_READ;
	const { reached, items, failure } = reading;
	const isOtherChain = reading.isOtherChain || hasLeft;
	const position = reached ?? begun;
	const isChanged = reached !== undefined || (isContinuing && saved.watched !== watched);
	const isOurs = !isChanged || (await replaceWith({ ...position, watched }, items));
	if (isOurs && isChanged && isOtherChain)
		warnOfAnotherChain(context, followed.formatPlace(position));
	// A poll returns items or throws, but not both. So events that may be missing are reported as a separate error.
	const doubt = isOurs ? present.findDoubt?.(position) : undefined;
	if (doubt) context.__emitError(activationError(context.getNode(), doubt));
	if (items.length === 0) await present.throwIfLate(position, failure);
	if (isOurs) addPollHints(context, reading);
	return isOurs ? items : [];
}

async function begin<Position>(present: PresentChain<Position>, start: Start | undefined) {
	return start ? await present.beginAt(start.point) : await present.begin();
}

function addPollHints(
	context: IPollFunctions,
	{ items, isCut }: Pick<Reading<unknown>, 'items' | 'isCut'>,
): void {
	const addHint = createHintLog(context);
	if (items.some(({ removed }) => removed === true)) addHint(REMOVED_HINT);
	if (isCut) addHint(CUT_HINT);
}

const CUT_HINT = "The poll ended at 'Max Blocks Per Poll'; the next one continues there";

/** Waits for the preparation until the deadline. Unfinished work continues, and the next poll waits for it again. */
export async function waitForPreparation(
	prepare: (() => Promise<void>) | undefined,
	deadline: number,
): Promise<boolean> {
	if (!prepare) return true;
	const work = prepare().then(() => true);
	return (await unlessAborted(work, createTimeoutSignal(deadline - Date.now()))) ?? false;
}

/** The items that a poll has read, and how reading ended. */
interface Reading<Position> {
	/** The position after the items; undefined if nothing was read. */
	readonly reached: Position | undefined;
	readonly items: readonly JsonObject[];
	readonly isOtherChain: boolean;
	/** Whether the limit of blocks per poll ended the reading. */
	readonly isCut: boolean;
	/** The reason why reading ended early. */
	readonly failure?: unknown;
}

const NOTHING_READ: Reading<never> = {
	reached: undefined,
	items: [],
	isOtherChain: false,
	isCut: false,
};

/**
 * Reads on until a limit or the deadline. Blocks without events do not count, because many may have to be read again
 * after a restart: n8n stores the position only with an execution. After a failure, the items before it are kept.
 */
export async function readSteps<Position>(
	readOn: (reach: ReadLimits) => AsyncIterable<Step<Position>>,
	maxBlocks = Infinity,
	deadline = Infinity,
): Promise<Reading<Position>> {
	const reach = { blocks: maxBlocks, deadline };
	const items: JsonObject[] = [];
	let last: Step<Position> | undefined;
	let isOtherChain = false;
	const getReading = (failure: unknown) => {
		return { reached: last?.position, items, isOtherChain, isCut: reach.blocks <= 0, failure };
	};
	try {
		for await (const step of readOn(reach)) {
			last = step;
			isOtherChain ||= step.isOtherChain === true;
			for (const item of step.items) items.push(item);
			if (items.length > 0) reach.blocks -= step.blocks;
			const isFull = reach.blocks <= 0 || items.length >= MAX_ITEMS_PER_POLL;
			if (isFull || step.failure !== undefined || Date.now() >= deadline) break;
		}
	} catch (failure) {
		return getReading(failure);
	}
	return getReading(last?.failure);
}

/**
 * Reads and writes the position in n8n's static data, which n8n stores with an execution. A poll may begin while the
 * previous one is still running. The poll that ends first saves its position, and the other poll discards its
 * results.
 */
export function createPollStorage<Position>(
	context: IPollFunctions,
	{ parse, format }: FollowedChain<Position>['storage'],
) {
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data);
	/**
	 * Saves the position, and returns true. If another poll saved a position first, nothing changes, and the result is
	 * false.
	 */
	const replace = (next: Saved<Position>): boolean => {
		if (JSON.stringify(data) !== before) return false;
		Object.assign(data, format(next));
		return true;
	};
	return {
		saved: parse(data),
		replace,
		/** Saves the position for the emitted items, after a check that n8n's database works. */
		replaceWith: async (next: Saved<Position>, emitted: readonly unknown[]): Promise<boolean> => {
			if (emitted.length > 0) await checkDatabase(context);
			return replace(next);
		},
	};
}

/**
 * Checks that n8n's database works, by reading a credential, because n8n does not report whether it can store an
 * execution.
 */
async function checkDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(getNodeCredentialType(context));
}
