/** Times in the rules are in milliseconds since 1970 (UTC), by the clock of n8n's server. */
export const SECOND_MS = 1000n;
export const MINUTE_MS = 60_000n;
export const DAY_MS = 86_400_000n;

/** The last instant that a Date can represent. */
const LAST_MS = 8_640_000_000_000_000n;

export function formatTime(milliseconds: bigint): string {
	return milliseconds <= LAST_MS
		? new Date(Number(milliseconds)).toISOString()
		: 'a time later than the year 275760';
}

/** Formats a day, given in days since 1970, as a date such as 2026-11-24. */
export function formatDay(day: bigint): string {
	const [date = ''] = formatTime(day * DAY_MS).split('T');
	return date;
}

export function toDay(milliseconds: number | bigint): bigint {
	return BigInt(milliseconds) / DAY_MS;
}
