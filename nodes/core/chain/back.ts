import { raise } from '../errors/raise';
import { RequestFailure } from '../errors/requestFailure';
import { catching, InvalidValue, isRecord, trimText, type Parse } from '../values/parse';

/** How far before its last block a range begins. */
export interface Back {
	readonly unit: 'block' | 'second';
	readonly count: number;
}

export function isBack(given: unknown): given is Back {
	return isRecord(given) && 'unit' in given;
}

const BACK_PATTERN = /^(\d{1,9}) ?(block|second|minute|hour|day|week)s?( back| ago)?$/i;

const SECONDS: ReadonlyMap<string, number> = new Map([
	['second', 1],
	['minute', 60],
	['hour', 3_600],
	['day', 86_400],
	['week', 604_800],
]);

/** Parses a block, or how far back: `1000 blocks back`, `2 days back`. */
export function blockOrBackParser<Block>(parseBlock: Parse<Block>): Parse<Block | Back> {
	return (given) => {
		const [, count, unit = ''] = BACK_PATTERN.exec(trimText(given)) ?? [];
		return count === undefined
			? parseBlockOrHint(parseBlock, given)
			: buildBack(Number(count), unit.toLowerCase());
	};
}

function parseBlockOrHint<Block>(parseBlock: Parse<Block>, given: unknown): Block {
	const block = catching(InvalidValue, () => parseBlock(given));
	if (!(block instanceof InvalidValue)) return block;
	throw new InvalidValue(`${block.message}, or how far back, such as 2 days back`, block.advice);
}

function buildBack(count: number, unit: string): Back {
	if (count === 0) throw new InvalidValue('1 block back or more');
	const seconds = SECONDS.get(unit);
	return seconds === undefined
		? { unit: 'block', count }
		: { unit: 'second', count: count * seconds };
}

/** The first of this many blocks up to the last one. */
export function countBack(last: number, blocks: number): number {
	return Math.max(0, last - blocks + 1);
}

/** Reads when a block was made, in Unix seconds; undefined where the node does not have the block. */
type ReadTime = (block: number) => Promise<number | undefined>;

/** Finds the first block of a range that ends with `last`. */
export async function findFirstBlock(
	{ unit, count }: Back,
	last: number,
	readTime: ReadTime,
): Promise<number> {
	if (unit === 'block') return countBack(last, count);
	const end = await readTime(last);
	if (end === undefined) throw new RequestFailure(`The node has no block ${last}`);
	return await findFirstAfter(end - count, last, readTime);
}

const STRIDE_FACTOR = 8;

/**
 * Looks back from a block later than the moment in ever longer strides, then halves what is left. A block that the node
 * has no longer counts as an early one, until it is next to the first that is late: then that may not be the first.
 */
async function findFirstAfter(moment: number, last: number, readTime: ReadTime): Promise<number> {
	let late = last;
	let early = -1;
	let missing = -1;
	const look = async (block: number) => {
		const time = await readTime(block);
		if (time !== undefined && time > moment) late = block;
		else early = block;
		if (time === undefined) missing = Math.max(missing, block);
	};
	for (let stride = 1; late > 0 && early < 0; stride *= STRIDE_FACTOR)
		await look(Math.max(0, last - stride));
	while (late - early > 1) await look(Math.floor((early + late) / 2));
	return missing >= 0 && missing === early ? raise(tooOldError(late)) : late;
}

function tooOldError(kept: number): RequestFailure {
	return new RequestFailure(`The node keeps no blocks from so far back: its first one is ${kept}`, {
		description: "'From Block' may be this number, if that is enough.",
	});
}
