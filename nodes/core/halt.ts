import { sleep } from 'n8n-workflow';
import { Halted } from './failure';

const SLICE = 100;

/** Says whether to go on: no longer when the user stopped the execution or an item failed for good. */
export class Halt {
	private failed = false;

	constructor(private readonly cancelled?: AbortSignal) {}

	get isOn(): boolean {
		return this.failed || this.isCancelled;
	}

	get isCancelled(): boolean {
		return this.cancelled?.aborted ?? false;
	}

	set(): void {
		this.failed = true;
	}

	check(): void {
		if (this.isOn) throw new Halted();
	}

	/** Waits in slices, because n8n's `sleep` cannot be ended early. */
	async pause(milliseconds: number): Promise<void> {
		const end = Date.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - Date.now()) {
			this.check();
			await sleep(Math.min(left, SLICE));
		}
		this.check();
	}
}
