import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueModeN8n } from '../../demo/queue/queueMode.mts';
import type { ServiceProcess } from '../../demo/run/serviceProcess.mts';
import { fetchFromN8n } from '../../demo/run/session.mts';
import { demo } from '../e2e/world.mts';

const PATIENCE = 60_000;

/** Returns the running n8n. Throws unless it runs in queue mode. */
export function queue(): QueueModeN8n {
	if (!('workers' in demo.n8n)) throw new Error('n8n does not run in queue mode');
	return demo.n8n as QueueModeN8n;
}

/** Kills processes as a power cut does. Restarts them after the given time. */
export async function crash(parts: readonly ServiceProcess[], down: number): Promise<void> {
	await Promise.all(parts.map((part) => part.kill()));
	await sleep(down);
	await Promise.all(parts.map((part) => part.start()));
}

/** Waits until n8n answers that it has connected to its database again. */
export async function isBack(): Promise<void> {
	for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(250)) {
		const { ok } = await fetchFromN8n(`${demo.url}/healthz/readiness`);
		if (ok) return;
	}
	throw new Error('n8n has not come back to its database');
}
