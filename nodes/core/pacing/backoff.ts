/** Twice as long from attempt to attempt, up to the longest. */
export function doubled(attempt: number, first: number, longest: number): number {
	return Math.min(first * 2 ** attempt, longest);
}

/** Somewhere in the second half of it, so that many clients do not come back together. */
export function withJitter(wait: number, jitter = Math.random()): number {
	return wait / 2 + jitter * (wait / 2);
}
