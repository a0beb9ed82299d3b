import type { IDataObject } from 'n8n-workflow';
import { Database } from '../harness/database.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { activateTrigger } from '../harness/trigger.mts';
import type { TestedNode } from '../harness/workflow.mts';

/** An active workflow, through one life of n8n after another. */
export interface RestartableWorkflow {
	/** All that it was told. */
	items(): readonly IDataObject[];
	/** What failed where a user sees it. */
	failures(): number;
	/** n8n is started again, with what its database holds. */
	restart(): void;
	/** n8n's database is away for a while. */
	loseDatabase?(isAway: boolean): void;
	end(): Promise<void>;
}

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** n8n tries again after a while when a workflow could not be activated. */
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

	/** Killed every other time, after none to two more writes: between a position and its execution, too. */
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
		// In the middle of a poll: neither what it found nor its position is stored.
		restart: () => void (isKilled = true),
		end: async () => {
			isOver = true;
			await polling;
		},
	};
}
