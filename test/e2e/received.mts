import { setTimeout as sleep } from 'node:timers/promises';
import { outputs } from './workflows.mts';
import { demo } from './world.mts';

type Json = Record<string, unknown>;

/** What a trigger has given to all executions of its workflow, in their order. */
export async function received(workflowId: string): Promise<Json[]> {
	const listed = await demo.api.executions(workflowId);
	const ids = listed.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
	const executions = await Promise.all(ids.map(async (id) => await demo.api.execution(id)));
	return executions.flatMap((one) => (outputs(one)[0] ?? []).map(({ json }) => json));
}

/** Longer than it takes n8n to start again and to poll, which it does once a minute. */
const PATIENCE = 180_000;

/** Waits until so many items have come; more of them are found too. */
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
