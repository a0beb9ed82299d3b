import type { RequestFailure } from '../errors/requestFailure';
import type { JsonObject } from '../values/json';
import { readForward, type ChainView } from './advance';
import { BLOCKS_PER_REQUEST, type BlockRange, type Head } from './blocks';
import {
	copyForStorage,
	parseSavedCursor,
	type ChainPosition,
	type Cursor,
	type CursorAdvance,
} from './cursor';
import { BlockSpan } from './rangeSize';
import type { StartPoint } from './startAt';

/** How a poll follows a chain. The family reads the chain, and the poll keeps the position. */
export interface FollowedChain<Position> {
	/** Whether the first poll may start the workflow; otherwise only events after the first poll can. */
	readonly startsAtPresent?: boolean;
	/** Throws if the chosen object does not exist on the chain, because the trigger would wait in vain. */
	check?(): Promise<void>;
	/** Reads the latest block. Null if there is no block yet with which the trigger can begin. */
	readPresent(before: Position | undefined): Promise<PresentChain<Position> | null>;
	/** Searches events for a sample in the editor, backwards from the latest block. */
	searchBack(reach: ReadLimits): AsyncIterable<ChainPart>;
	readonly storage: PositionStorage<Position>;
	/** Describes where the trigger continues, for a message. */
	formatPlace(position: Position): string;
}

/** The state of the chain at the beginning of a poll. */
export interface PresentChain<Position> {
	/** Whether the position belongs to the chain that the node serves now. */
	isSameChain(before: Position): boolean;
	/** Returns the position after the last block; null if the node does not have that block yet. */
	begin(): Promise<Position | null> | Position | null;
	/** Returns the position before a start that the user chose. Throws if the start is in the future. */
	beginAt(start: StartPoint): Promise<Position | null>;
	/** Reads the events after the position. */
	readOn(before: Position, reach: ReadLimits): AsyncIterable<Step<Position>>;
	/** Reports that events before the position may be missing for good. */
	findDoubt?(reached: Position): RequestFailure | undefined;
	/**
	 * Is called when nothing new was found, perhaps because of a failure. Throws if the node lags by more than is
	 * tolerated.
	 */
	throwIfLate(reached: Position, failure: unknown): Promise<void> | void;
}

/** How many more blocks may be read, and for how long. */
export interface ReadLimits {
	/** The number of blocks, which is infinite unless the user limits it. */
	readonly blocks: number;
	/** The time in milliseconds. */
	readonly deadline: number;
}

/** The contents of a part of the chain. */
export interface ChainPart {
	readonly items: readonly JsonObject[];
	/** The number of blocks. In a poll, blocks without events are not counted. */
	readonly blocks: number;
}

/** A part of the chain that was read, with the position after it. */
export interface Step<Position> extends ChainPart {
	readonly position: Position;
	/** The reason why reading ended early. A failure that leaves the position unchanged is thrown. */
	readonly failure?: unknown;
	/** Whether the node serves another chain than before. The position is then at the end of the other chain. */
	readonly isOtherChain?: boolean;
}

/** A position in the form in which n8n stores it. */
export type Saved<Position> = Position & {
	/** A fingerprint of the user's choices. */
	readonly watched: string;
};

/** How a position is read from a node's static data in n8n, and written to it. */
interface PositionStorage<Position> {
	/** Reads a position; undefined if the data has none, as before the first poll. */
	parse(data: JsonObject): Saved<Position> | undefined;
	/** Converts a position into the data that n8n stores. */
	format(saved: Saved<Position>): JsonObject;
}

export const chainPositionStorage: PositionStorage<ChainPosition> = {
	parse: ({ saved }) => parseSavedCursor(saved),
	format: (saved) => ({ saved: copyForStorage(saved) }),
};

export function formatNextBlock({ cursor }: ChainPosition): string {
	return `block ${cursor.next}`;
}

interface BlocksToRead {
	/** The chain's latest block. */
	readonly head: Head;
	/** The last block to read. */
	readonly last: number;
	readonly blocksPerRange?: number;
}

/** Reads blocks from a cursor on, up to the limits. */
export async function* readBlocksOn(
	start: Cursor,
	view: ChainView,
	{ head, last, blocksPerRange = BLOCKS_PER_REQUEST }: BlocksToRead,
	reach: ReadLimits,
): AsyncGenerator<CursorAdvance & { readonly blocks: number }> {
	let { next } = start;
	const getEnd = () => Math.min(last, next - 1 + reach.blocks);
	const span = new BlockSpan(undefined, blocksPerRange);
	for await (const step of readForward(start, view, { head, last: getEnd, span })) {
		const blocks = step.cursor.next - next;
		({ next } = step.cursor);
		yield { ...step, blocks };
	}
}

/** Yields ranges of blocks backwards from a block. Each range is wider than the one before it by `factor`. */
export function* splitBack(
	last: number,
	reach: ReadLimits,
	{ blocks, factor = 1 }: { readonly blocks: number; readonly factor?: number },
): Generator<BlockRange> {
	let width = blocks;
	for (let to = last; to >= 0; width *= factor) {
		const from = Math.max(0, to - Math.min(width, reach.blocks) + 1);
		yield { from, to };
		to = from - 1;
	}
}
