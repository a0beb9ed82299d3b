import { deepCopy } from 'n8n-workflow';
import type { StartExecution } from '../core/trigger/executions';
import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';

/** An execution that n8n may not have stored. It is plain JSON, because n8n keeps it in its static data. */
export interface PendingExecution {
	readonly key: string;
	/** The time when the execution was first started. */
	readonly at: number;
	readonly items: readonly JsonObject[];
}

/** The executions that are saved together with the cursor, before n8n stores them. n8n may be killed in between. */
export interface PendingExecutions {
	readonly underWay: readonly PendingExecution[];
	/** The key of an execution that has succeeded. It shows whether n8n keeps such executions. */
	readonly succeeded?: string;
}

export const NO_PENDING_EXECUTIONS: PendingExecutions = { underWay: [] };

/** Makes a checked copy of the stored executions, because imported workflows may contain anything. */
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

/**
 * n8n refuses a repeated execution by its key. It deletes old executions together with their keys, but none that is
 * younger than an hour.
 */
const KEY_LIFETIME_MS = 3_600_000;

/** Starts executions to find out how n8n treats them, and pauses after failures. */
interface Attempts {
	readonly start: StartExecution;
	/** Waits after a failure. The pause depends on the number of failures. */
	backOff(failures: number): Promise<void>;
	readonly closing: AbortSignal;
}

/** Decides which executions of n8n's previous process are started again. */
export class Restart {
	private waiting: readonly PendingExecution[];

	constructor(private readonly pending: PendingExecutions) {
		this.waiting = pending.underWay;
	}

	/** The executions for which it is still undecided whether they start again. */
	get undecided(): readonly PendingExecution[] {
		return this.waiting;
	}

	/**
	 * Gives the executions to start again. Nothing starts again if n8n does not keep successful executions: then it
	 * would run some of them twice.
	 */
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
	 * Tries to start an execution without items under the key of a successful execution. n8n refuses it as a duplicate
	 * if it keeps successful executions.
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
