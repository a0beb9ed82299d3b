import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import {
	catching,
	InvalidValue,
	isBlank,
	trimText,
	wholeNumberParser,
	type Parse,
} from '../values/parse';
import { parseTime, toUnixSeconds } from '../values/time';
import { parseDistanceBack } from './back';
import { findFirstAfter, type ReadTime } from './blockAtTime';
import { raise } from '../errors/raise';

/** Where a trigger begins, as the user entered it. */
type GivenStart =
	| { readonly block: number }
	| { readonly blocksBack: number }
	| { readonly secondsBack: number }
	| { readonly time: ReturnType<typeof parseTime> };

/** Where a trigger begins: at a block, some blocks before the latest, or at a time in Unix seconds. */
export type StartPoint =
	| { readonly block: number }
	| { readonly blocksBack: number }
	| { readonly moment: number };

const EXPECTED_TIME = 'how far back, such as 2 days back, or a time, such as 2026-01-31T14:00:00Z';
const EXPECTED_BLOCK = `the number of a block, ${EXPECTED_TIME}`;

/** Parses a block, `500 blocks back`, `2 days back` or a time. A number alone is a block, not a time. */
export const parseStart: Parse<GivenStart | undefined> = (given) => {
	if (isBlank(given)) return undefined;
	const number = parseBlockNumber(given);
	if (number !== undefined) return { block: number };
	const back = parseDistanceBack(given);
	if (back) {
		return back.unit === 'block' ? { blocksBack: back.count } : { secondsBack: back.count };
	}
	return { time: parseNamedTime(given, EXPECTED_BLOCK) };
};

/** Parses `2 days back` or a time, for chains whose blocks users do not know. */
export const parseStartTime: Parse<GivenStart | undefined> = (given) => {
	if (isBlank(given)) return undefined;
	const back = parseDistanceBack(given);
	if (back?.unit === 'block') throw new InvalidValue(EXPECTED_TIME);
	return back ? { secondsBack: back.count } : { time: parseNamedTime(given, EXPECTED_TIME) };
};

function parseBlockNumber(given: unknown): number | undefined {
	const text = typeof given === 'number' ? String(given) : trimText(given);
	return /^(\d+|0x[0-9a-f]+)$/i.test(text) ? wholeNumberParser(0)(Number(text)) : undefined;
}

/** Parses a time. A number is refused, because it stands for a block and not for Unix seconds. */
function parseNamedTime(given: unknown, expected: string) {
	const text = trimText(given);
	const time = /^\d{4}-/.test(text) ? catching(InvalidValue, () => parseTime(text)) : undefined;
	return time && !(time instanceof InvalidValue) ? time : raise(new InvalidValue(expected));
}

/**
 * Converts what the user entered in Start At into a block or a time. "2 days back" is counted from now, and a time
 * without a zone is in `timezone`.
 */
export function toStartPoint(given: GivenStart, timezone: string): StartPoint {
	if ('secondsBack' in given) return { moment: getNow() - given.secondsBack };
	return 'time' in given ? { moment: toUnixSeconds(given.time, timezone) } : given;
}

function getNow(): number {
	return Math.floor(Date.now() / 1000);
}

/**
 * Finds the first block at or after the start. If the chain has not reached that time yet, returns the number after
 * its last block.
 */
export async function findStartBlock(
	start: StartPoint,
	last: number,
	readTime: ReadTime,
): Promise<number> {
	if ('blocksBack' in start) return Math.max(0, last - start.blocksBack);
	if ('block' in start)
		return start.block <= last ? start.block : raise(futureError(`block ${last}`));
	const time = await readTime(last);
	if (time === undefined) throw new RequestFailure(`The chain node has no block ${last}`);
	checkNotFuture(start.moment, { name: `block ${last}`, time });
	if (time < start.moment) return last + 1;
	return await findFirstAfter(start.moment - 1, { number: last, time }, readTime);
}

/**
 * Throws if the start is in the future. Clocks differ, so it is compared with the later of n8n's time and the chain's
 * time.
 */
export function checkNotFuture(
	moment: number,
	latest: { readonly name: string; readonly time: number },
): void {
	if (moment <= Math.max(getNow(), latest.time)) return;
	throw futureError(`${latest.name}, of ${new Date(latest.time * 1000).toISOString()}`);
}

function futureError(latest: string): InvalidInput {
	return new InvalidInput(
		`'Start At' lies in the future: the latest block is ${latest.replace(/^block /, '')}`,
		'Leave it empty to begin at the present.',
	);
}
