/** The clocks of chains, of services that index chains, and of n8n usually differ by less than a minute. */
const CLOCK_MARGIN_MS = 60_000;

/**
 * Whether a time has certainly passed, by n8n's own clock with a margin. The node's clock is not used, because it may
 * be wrong, and a transaction that has not expired may still be carried out.
 */
export function hasPassed(milliseconds: number): boolean {
	return Date.now() > milliseconds + CLOCK_MARGIN_MS;
}

const SECOND_MS = 1000;

/** Says by how much the time of a service differs from n8n's clock; undefined if the difference is small. */
export function findClockHint(milliseconds: number): string | undefined {
	const off = milliseconds - Date.now();
	if (Math.abs(off) <= CLOCK_MARGIN_MS) return undefined;
	const seconds = Math.round(Math.abs(off) / SECOND_MS);
	const where = off > 0 ? 'ahead of' : 'behind';
	return `The time of the service is ${seconds} seconds ${where} the clock of n8n. One of them is wrong, or the service is not at the end of its chain: a payment may end later than its time says.`;
}
