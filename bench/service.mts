import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Counts {
	requests: number;
	calls: number;
	refused: number;
	bytes: number;
}

export type MeasuredService = Awaited<ReturnType<typeof startMeasuredService>>;

/** Starts the measured service in a process of its own. */
export async function startMeasuredService() {
	const child = fork(join(import.meta.dirname, 'server.mjs'));
	const [{ url }] = (await once(child, 'message')) as [{ url: string }];
	return {
		url,
		/** Sets the latency, the rate limit, and the CID that pins get. Returns the counts since the last call. */
		set: async (
			settings: { latency?: number; perSecond?: number; cid?: string } = {},
		): Promise<Counts> => {
			const body = JSON.stringify(settings);
			const answer = await fetch(`${url}/control`, { method: 'POST', body });
			return (await answer.json()) as Counts;
		},
		/** Announces the next block. Returns its number and the time. */
		announce: async () => {
			const message = once(child, 'message');
			child.send('announce');
			const [announced] = (await message) as [{ number: number; at: number }];
			return announced;
		},
		stop: () => child.disconnect(),
	};
}
