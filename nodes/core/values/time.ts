import { type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** A moment in Unix seconds, or a local time of which the zone is still unknown. */
type Time = { readonly seconds: number } | { readonly clock: string };

const EXPECTED_TIME = 'a time such as 2026-01-31T14:00:00Z, or Unix seconds';
const ISO_TIME_PATTERN =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))? ?(Z|[+-]\d\d:?\d\d)?$/i;
/** Larger numbers are taken for milliseconds. As seconds, this number is in the year 5138; as milliseconds, in 1973. */
const MAX_UNIX_SECONDS = 100_000_000_000;

/** Parses a time in ISO 8601, with or without a zone, or in Unix seconds. */
export const parseTime: Parse<Time> = (given) => {
	const text = typeof given === 'number' ? String(given) : given;
	if (typeof text !== 'string') throw new InvalidValue(EXPECTED_TIME);
	return /^\d+(\.\d+)?$/.test(text.trim())
		? parseUnixSeconds(Number(text))
		: parseIsoTime(text.trim());
};

function buildTime(milliseconds: number): Time {
	return Number.isFinite(milliseconds)
		? { seconds: Math.floor(milliseconds / 1000) }
		: raise(new InvalidValue(EXPECTED_TIME));
}

function parseUnixSeconds(seconds: number): Time {
	return seconds < MAX_UNIX_SECONDS
		? { seconds: Math.floor(seconds) }
		: raise(new InvalidValue(`${EXPECTED_TIME}: this looks like milliseconds`));
}

function parseIsoTime(text: string): Time {
	const [, day = '', clock = '00:00', zone = ''] = ISO_TIME_PATTERN.exec(text) ?? [];
	const local = `${day}T${clock}`;
	const asUtc = Date.parse(`${local}Z`);
	// Date.parse accepts February 30 as March 2, so the day is compared.
	const isReal = !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(day);
	if (day === '' || !isReal) throw new InvalidValue(EXPECTED_TIME);
	return zone === '' ? { clock: local } : buildTime(Date.parse(`${local}${withColon(zone)}`));
}

function withColon(zone: string): string {
	return zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
}

/** Converts a time to Unix seconds. A local time is in `timezone`. */
export function toUnixSeconds(given: Time, timezone: string): number {
	if ('seconds' in given) return given.seconds;
	const asUtc = Date.parse(`${given.clock}Z`);
	// Close to a clock change, the first offset may be wrong, so the offset is computed again at the estimated time.
	const guess = asUtc - getZoneOffset(asUtc, timezone);
	return Math.floor((asUtc - getZoneOffset(guess, timezone)) / 1000);
}

/** Returns how many milliseconds a time zone is ahead of UTC at a given time. */
function getZoneOffset(milliseconds: number, timeZone: string): number {
	const whole = Math.floor(milliseconds / 1000) * 1000;
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	const parts = new Map(
		format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
	);
	const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
	const shown = new Date(whole);
	// The year is set by a separate call, because Date.UTC turns year 1 into 1901.
	shown.setUTCFullYear(at('year'), at('month') - 1, at('day'));
	return shown.setUTCHours(at('hour'), at('minute'), at('second')) - whole;
}
