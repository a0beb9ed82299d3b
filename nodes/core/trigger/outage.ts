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
