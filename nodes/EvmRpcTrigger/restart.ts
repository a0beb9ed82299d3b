import { deepCopy } from 'n8n-workflow';
import type { StartExecution } from '../core/trigger/executions';
import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';

/** An execution that n8n may not have stored. Plain JSON, because n8n's static data holds it. */
export interface PendingExecution {
	readonly key: string;
	/** The time when it was started first. */
	readonly at: number;
	readonly items: readonly JsonObject[];
}

/** What is saved with the cursor. n8n stores this before an execution, and may be killed in between. */
export interface PendingExecutions {
	readonly underWay: readonly PendingExecution[];
	/** The key of an execution that has succeeded. It shows whether n8n keeps such executions. */
	readonly succeeded?: string;
}

export const NO_PENDING_EXECUTIONS: PendingExecutions = { underWay: [] };

/** A validated copy, because imported workflows may contain anything. */
export function parsePendingExecutions(stored: unknown): PendingExecutions {
	if (!isRecord(stored) || !Array.isArray(stored.underWay)) return NO_PENDING_EXECUTIONS;
	const { succeeded } = stored;
	return {
		underWay: deepCopy(stored.underWay.filter(isPendingExecution)),
		...(typeof succeeded === 'string' && { succeeded }),
	};
}

function isPendingExecution(one: unknown): one is PendingExecution {
	if (!isRecord(one) || typeof one.key !== 'string' || typeof one.at !== 'number') return false;
	return Array.isArray(one.items) && one.items.every(isRecord);
}

/** n8n deletes old executions together with their keys, but none within an hour. */
const KEY_LIFETIME_MS = 3_600_000;

/** Asks n8n by starting executions, with pauses after failures. */
interface Attempts {
	readonly start: StartExecution;
	/** The pause after this many failures. */
	backOff(failures: number): Promise<void>;
	readonly closing: AbortSignal;
}

/** Decides which executions of n8n's last process are started again. */
export class Restart {
	private waiting: readonly PendingExecution[];

	constructor(private readonly pending: PendingExecutions) {
		this.waiting = pending.underWay;
	}

	/** The executions for which this is not decided yet. */
	get undecided(): readonly PendingExecution[] {
		return this.waiting;
	}

	/** Gives the executions to start again. If n8n does not keep successful executions, it would run them twice. */
	async *takeRestartable(attempts: Attempts): AsyncGenerator<PendingExecution> {
		this.waiting = this.waiting.filter(({ at }) => Date.now() - at < KEY_LIFETIME_MS);
		const isSafe = this.waiting.length > 0 && (await this.isSucceededKept(attempts));
		for (const one of isSafe ? this.waiting : []) {
			this.waiting = this.waiting.slice(1);
			yield one;
		}
		this.waiting = [];
	}

	/**
	 * Starts an execution without items under the key of an execution that has succeeded. n8n should refuse it as a duplicate.
	 */
	private async isSucceededKept({ start, backOff, closing }: Attempts): Promise<boolean> {
		const { succeeded } = this.pending;
		for (let failures = 0; succeeded !== undefined && !closing.aborted; failures++) {
			const ending = await start([], succeeded).catch(() => undefined);
			if (ending) return ending === 'duplicate';
			await backOff(failures);
		}
		return false;
	}
}
