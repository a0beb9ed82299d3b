/** In milliseconds. */
export interface Backoff {
	readonly firstBackoff: number;
	readonly longestBackoff: number;
}

/** With jitter, so that many triggers do not come back together. */
export function backoff(attempt: number, { firstBackoff, longestBackoff }: Backoff): number {
	const full = Math.min(firstBackoff * 2 ** attempt, longestBackoff);
	return full / 2 + Math.random() * (full / 2);
}

/** Reports an outage that lasts, once. */
export class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(
		private readonly report: (cause: unknown) => void,
		private readonly patience: number,
	) {}

	goesOn(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < this.patience) return;
		this.isReported = true;
		this.report(cause);
	}

	ended(): void {
		this.since = undefined;
		this.isReported = false;
	}
}
