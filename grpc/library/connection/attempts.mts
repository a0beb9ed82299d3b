import { setTimeout as pause } from 'node:timers/promises';
import { problemOf } from '../problem.mts';
import type { Channel } from './channel.mts';
import { REFUSED } from './goodbye.mts';

const SHORTEST_PAUSE = 10;
const LONGEST_PAUSE = 1000;
/** In the words of the gRPC library. */
const NEVER_LEFT = /^(No connection established|Name resolution failed)/;

/**
 * Makes a call again as long as it provably was not carried out and there is time: a server that is full or about to
 * go refuses calls before it looks at them. An endpoint that has never answered fails at once: it may be a wrong one.
 */
export async function untilTaken<T>(
	channel: Channel,
	deadline: number,
	attempt: () => Promise<T>,
): Promise<T> {
	for (let wait = SHORTEST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
		try {
			const result = await attempt();
			channel.wasReached = true;
			return result;
		} catch (error) {
			if (!wasNotTaken(error, channel) || Date.now() + wait >= deadline) throw error;
			await pause(wait, undefined, { signal: channel.stop });
		}
	}
}

function wasNotTaken(error: unknown, channel: Channel): boolean {
	const problem = problemOf(error);
	if (problem?.kind !== 'status') return false;
	if (problem.byService) channel.wasReached = true;
	if (problem.byService || problem.arrived > 0) return false;
	const { words } = problem;
	return words === REFUSED.details || (channel.wasReached && NEVER_LEFT.test(words));
}
