import { InvalidValue, listParser, MAX_INDEX, raise, type Parse } from '../../../nodes/core';

/** How many addresses an item may name. */
const MAX_INDEXES = 1000;
const EXPECTED = `indexes from 0 to ${MAX_INDEX}: a number, a list, or ranges such as 0-99, 120`;
const WORD_PATTERN = /^(\d{1,10})(?:-(\d{1,10}))?$/;

interface Range {
	readonly first: number;
	readonly last: number;
}

const parseRange: Parse<Range> = (given) => {
	const isWord = typeof given === 'string' || typeof given === 'number';
	const [, start, end = start] = WORD_PATTERN.exec(isWord ? String(given) : '') ?? [];
	const [first, last] = [Number(start), Number(end)];
	return first <= last && last <= MAX_INDEX ? { first, last } : raise(new InvalidValue(EXPECTED));
};

const parseRanges = listParser(parseRange);

/** Parses a list of indexes and ranges. Keeps their order, and returns each index once. */
export const parseIndexes: Parse<readonly number[]> = (given) => {
	const ranges = parseRanges(given);
	if (ranges.length === 0) throw new InvalidValue(EXPECTED);
	const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
	if (count > MAX_INDEXES) throw new InvalidValue(`at most ${MAX_INDEXES} indexes for each item`);
	const all = ranges.flatMap(({ first, last }) =>
		Array.from({ length: last - first + 1 }, (_, place) => first + place),
	);
	return [...new Set(all)];
};
