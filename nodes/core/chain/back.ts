import { RequestFailure } from '../errors/requestFailure';
import { catching, InvalidValue, isRecord, trimText, type Parse } from '../values/parse';
import { findFirstAfter, type ReadTime } from './blockAtTime';

/** The distance from the last block of a range back to its first block. */
export interface DistanceBack {
	readonly unit: 'block' | 'second';
	readonly count: number;
}

export function isDistanceBack(given: unknown): given is DistanceBack {
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

/** Makes a parser for a block, or for a distance back such as `1000 blocks back` or `2 days back`. */
export function blockOrBackParser<Block>(parseBlock: Parse<Block>): Parse<Block | DistanceBack> {
	return (given) => parseDistanceBack(given) ?? parseBlockOrHint(parseBlock, given);
}

/** Parses a distance back; undefined for anything else. */
export function parseDistanceBack(given: unknown): DistanceBack | undefined {
	const [, count, unit = ''] = BACK_PATTERN.exec(trimText(given)) ?? [];
	return count === undefined ? undefined : buildBack(Number(count), unit.toLowerCase());
}

function parseBlockOrHint<Block>(parseBlock: Parse<Block>, given: unknown): Block {
	const block = catching(InvalidValue, () => parseBlock(given));
	if (!(block instanceof InvalidValue)) return block;
	throw new InvalidValue(`${block.message}, or a distance back, such as 2 days back`, block.advice);
}

function buildBack(count: number, unit: string): DistanceBack {
	if (count === 0) throw new InvalidValue('a distance of at least 1, such as 1 block back');
	const seconds = SECONDS.get(unit);
	return seconds === undefined
		? { unit: 'block', count }
		: { unit: 'second', count: count * seconds };
}

/** Returns the first block of a range that ends at `last` and has this many blocks. */
export function countBack(last: number, blocks: number): number {
	return Math.max(0, last - blocks + 1);
}

/** Finds the first block of a range that ends with `last`. */
export async function findFirstBlock(
	{ unit, count }: DistanceBack,
	last: number,
	readTime: ReadTime,
): Promise<number> {
	if (unit === 'block') return countBack(last, count);
	const end = await readTime(last);
	if (end === undefined) throw new RequestFailure(`The chain node has no block ${last}`);
	return await findFirstAfter(end - count, { number: last, time: end }, readTime);
}
