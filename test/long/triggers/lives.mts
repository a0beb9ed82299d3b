import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { Database } from '../../harness/database.mts';
import { createPollingWorkflow } from '../../harness/poll.mts';
import { activateTrigger } from '../../harness/trigger.mts';
import type { TestedNode } from '../../harness/workflow.mts';

/** An active workflow that continues across restarts of n8n. */
export interface RestartableWorkflow {
	/** All items that the workflow has emitted. */
	items(): readonly IDataObject[];
	/** The number of failures that the user has seen. */
	failures(): number;
	/** Restarts n8n with the content of its database. */
	restart(): void;
	/** Makes n8n's database unavailable until the next call with `false`. */
	loseDatabase?(isAway: boolean): void;
	end(): Promise<void>;
}

/** The pause before a failed activation is repeated. n8n also retries after a while. */
const RETRY_AFTER_MS = 200;

export async function runOverSocket(tested: TestedNode): Promise<RestartableWorkflow> {
	const database = new Database();
	let failures = 0;
	let life = await activateTrigger(tested, { database });
	let restarting = Promise.resolve();
	let restarts = 0;

	async function begin(): Promise<void> {
		const staticData = structuredClone(database.staticData);
		try {
			life = await activateTrigger(tested, { database, staticData, mode: 'init' });
		} catch {
			await pause(RETRY_AFTER_MS);
			await begin();
		}
	}

	/**
	 * Restarts the workflow. Every other time, n8n is killed first, after at most two more writes. The kill can come
	 * between the write of a position and the write of its execution.
	 */
	async function startAgain(): Promise<void> {
		if (restarts++ % 2 === 0) {
			database.writesLeft = restarts % 3;
			await pause(RETRY_AFTER_MS);
		}
		await life.close();
		database.writesLeft = Infinity;
		failures += life.failures.length;
		await begin();
	}

	return {
		items: () => database.executions.flat(),
		failures: () => failures + life.failures.length,
		restart: () => void (restarting = restarting.then(startAgain)),
		loseDatabase: (isAway) => void (database.isAway = isAway),
		end: async () => {
			await restarting;
			await life.close();
		},
	};
}

export async function runByPolling(
	tested: TestedNode,
	interval: number,
): Promise<RestartableWorkflow> {
	const items: IDataObject[] = [];
	let failures = 0;
	let isOver = false;
	let isKilled = false;
	let workflow = createPollingWorkflow(tested);
	const first = await workflow.activate();
	if (first.error) throw first.error;

	async function pollOn(): Promise<void> {
		while (!isOver) {
			const stored = workflow.saved();
			const { items: found, error } = await workflow.poll();
			if (isKilled) workflow = createPollingWorkflow(tested, { saved: stored });
			else for (const item of found) items.push(item);
			if (error) failures++;
			isKilled = false;
			await pause(interval);
		}
	}

	const polling = pollOn();
	return {
		items: () => items,
		failures: () => failures,
		// A kill in the middle of a poll stores neither the result of the poll nor its position.
		restart: () => void (isKilled = true),
		end: async () => {
			isOver = true;
			await polling;
		},
	};
}
