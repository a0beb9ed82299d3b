import { RequestFailure } from '../../errors/requestFailure';
import { extend, goBack, MARKS_KEPT, type ChainEvent, type Cursor, type Advance } from './cursor';
import { type BlockRef } from '../blockRef';
import { nullIfRefused } from '../header';

export interface ChainView {
	/** The chain's block of this number at present; null when it has none (yet). */
	blockRef(number: number): Promise<BlockRef | null>;
	/** What happened in these blocks, both included, in order. */
	events(from: number, to: number): Promise<readonly ChainEvent[]>;
	/** Whether what was told is told again, as removed, when its block leaves the chain. */
	readonly isTakenBack: boolean;
}

const ATTEMPTS = 3;

/**
 * Goes on to the block of this number. If the chain has left the blocks that were dealt with, it goes back to the
 * last one that still stands. The end is read before and after: when it has not changed, neither has anything
 * below it, and all that was read in between belongs together. The head says which blocks are too old to change.
 */
export async function advance(
	cursor: Cursor,
	to: number,
	view: ChainView,
	head = to,
): Promise<Advance> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const step = await attemptTo(cursor, to, view, head);
		if (step) return step;
	}
	throw new RequestFailure('The chain changed again and again while it was read', {
		description: 'Nothing is lost: the next attempt goes on from the same block.',
	});
}

async function attemptTo(
	cursor: Cursor,
	to: number,
	view: ChainView,
	head: number,
): Promise<Advance | undefined> {
	const end = await view.blockRef(to);
	if (!end) return { cursor, emissions: [] };
	const back = goBack(cursor, await standing(cursor, view), view.isTakenBack);
	const from = back.cursor.next;
	if (from > to) return (await view.blockRef(to))?.hash === end.hash ? back : undefined;
	const [events, first] = await Promise.all([
		view.events(from, to),
		view.isTakenBack ? view.blockRef(from).catch(nullIfRefused) : null,
	]);
	const blocks = events.map(({ block }) => block);
	const belongs = (block: BlockRef) => block.number !== to || block.hash === end.hash;
	const isWhole = [first, ...blocks].every((block) => joins(block, back.cursor));
	if (!isWhole || !blocks.every(belongs)) return undefined;
	const young = blocks.filter(({ number }) => number > head - MARKS_KEPT);
	if (view.isTakenBack && !(await areOnChain(young, view))) return undefined;
	if ((await view.blockRef(to))?.hash !== end.hash) return undefined;
	const { cursor: reached, emissions } = extend(back.cursor, end, events, view.isTakenBack);
	return { cursor: reached, emissions: [...back.emissions, ...emissions] };
}

/** Nodes behind one address may stand on different branches: the next block must follow the last one. */
function joins(block: BlockRef | null, { marks, next }: Cursor): boolean {
	const last = marks.at(-1);
	const isNext = block?.number === next && last?.number === next - 1;
	return !isNext || block.parentHash === undefined || block.parentHash === last.hash;
}

/** Whether the chain has these blocks: what happened in them may have been read elsewhere than they were. */
async function areOnChain(blocks: readonly BlockRef[], view: ChainView): Promise<boolean> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const places = await Promise.all(numbers.map(async (number) => await view.blockRef(number)));
	const hashes = new Set(places.map((blockRef) => blockRef?.hash));
	return blocks.every(({ hash }) => hashes.has(hash));
}

/** How many of the marks still stand on the chain; those above them have left it. */
async function standing({ marks }: Cursor, view: ChainView): Promise<number> {
	let isForked = false;
	for (const [index, { number, hash }] of [...marks.entries()].reverse()) {
		const now = await view.blockRef(number);
		// Blocks that are missing above one that stands: the node is only behind.
		if (now?.hash === hash) return isForked ? index + 1 : marks.length;
		isForked ||= now !== null;
	}
	return isForked ? 0 : marks.length;
}
