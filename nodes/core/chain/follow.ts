import { RequestFailure } from '../failure';
import {
	extend,
	goBack,
	MARKS_KEPT,
	type Happening,
	type Place,
	type Position,
	type Step,
} from './position';
import { nullIfRefused } from './view';

export interface ChainView {
	/** The chain's block of this number at present; null when it has none (yet). */
	place(number: number): Promise<Place | null>;
	/** What happened in these blocks, both included, in order. */
	happenings(from: number, to: number): Promise<readonly Happening[]>;
	/** Whether what was told is told again, as removed, when its block leaves the chain. */
	readonly isTakenBack: boolean;
}

/** So many blocks are read at a time: few nodes let one search span many more. */
export const STRETCH = 100;
const ATTEMPTS = 3;

/**
 * Goes on to the block of this number. If the chain has left the blocks that were dealt with, it goes back to the
 * last one that still stands. The end is read before and after: when it has not changed, neither has anything
 * below it, and all that was read in between belongs together. The head says which blocks are too old to change.
 */
export async function advance(
	position: Position,
	to: number,
	view: ChainView,
	head = to,
): Promise<Step> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const step = await attemptTo(position, to, view, head);
		if (step) return step;
	}
	throw new RequestFailure('The chain changed again and again while it was read', {
		description: 'Nothing is lost: the next attempt goes on from the same block.',
	});
}

async function attemptTo(
	position: Position,
	to: number,
	view: ChainView,
	head: number,
): Promise<Step | undefined> {
	const end = await view.place(to);
	if (!end) return { position, news: [] };
	const back = goBack(position, await standing(position, view), view.isTakenBack);
	const from = back.position.next;
	if (from > to) return (await view.place(to))?.hash === end.hash ? back : undefined;
	const [happened, first] = await Promise.all([
		view.happenings(from, to),
		view.isTakenBack ? view.place(from).catch(nullIfRefused) : null,
	]);
	const blocks = happened.map(({ block }) => block);
	const belongs = (block: Place) => block.number !== to || block.hash === end.hash;
	const isWhole = [first, ...blocks].every((block) => joins(block, back.position));
	if (!isWhole || !blocks.every(belongs)) return undefined;
	const young = blocks.filter(({ number }) => number > head - MARKS_KEPT);
	if (view.isTakenBack && !(await areOnChain(young, view))) return undefined;
	if ((await view.place(to))?.hash !== end.hash) return undefined;
	const { position: reached, news } = extend(back.position, end, happened, view.isTakenBack);
	return { position: reached, news: [...back.news, ...news] };
}

/** Nodes behind one address may stand on different branches: the next block must follow the last one. */
function joins(block: Place | null, { marks, next }: Position): boolean {
	const last = marks.at(-1);
	const isNext = block?.number === next && last?.number === next - 1;
	return !isNext || block.parentHash === undefined || block.parentHash === last.hash;
}

/** Whether the chain has these blocks: what happened in them may have been read elsewhere than they were. */
async function areOnChain(blocks: readonly Place[], view: ChainView): Promise<boolean> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const places = await Promise.all(numbers.map(async (number) => await view.place(number)));
	const hashes = new Set(places.map((place) => place?.hash));
	return blocks.every(({ hash }) => hashes.has(hash));
}

/** How many of the marks still stand on the chain; those above them have left it. */
async function standing({ marks }: Position, view: ChainView): Promise<number> {
	let isForked = false;
	for (const [index, { number, hash }] of [...marks.entries()].reverse()) {
		const now = await view.place(number);
		// Blocks that are missing above one that stands: the node is only behind.
		if (now?.hash === hash) return isForked ? index + 1 : marks.length;
		isForked ||= now !== null;
	}
	return isForked ? 0 : marks.length;
}
