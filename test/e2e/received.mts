import { setTimeout as sleep } from 'node:timers/promises';
import { outputs } from './workflows.mts';
import { demo } from './world.mts';

type Json = Record<string, unknown>;

/** Returns the items that a trigger has passed to all executions of its workflow, in order. */
export async function received(workflowId: string): Promise<Json[]> {
	const listed = await demo.api.executions(workflowId);
	const ids = listed.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
	const executions = await Promise.all(ids.map(async (id) => await demo.api.execution(id)));
	return executions.flatMap((one) => (outputs(one)[0] ?? []).map(({ json }) => json));
}

/** The time limit for items to arrive. n8n needs less to restart and to poll, which it does once a minute. */
const PATIENCE = 180_000;

/** Waits until at least `count` items have arrived. Returns all of them, so that additional items are noticed. */
export async function receivedAll(workflowId: string, count: number) {
	const deadline = Date.now() + PATIENCE;
	while (Date.now() < deadline) {
		const items = await received(workflowId);
		if (items.length >= count) break;
		await sleep(500);
	}
	await sleep(1000);
	return await received(workflowId);
}
