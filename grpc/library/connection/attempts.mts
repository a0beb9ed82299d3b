import { setTimeout as pause } from 'node:timers/promises';
import { problemOf } from '../problem.mts';
import type { Channel } from './channel.mts';
import { REFUSED_STREAM } from './goodbye.mts';

const MIN_PAUSE = 10;
const MAX_PAUSE = 1000;
/** In the words of the gRPC library. */
const NOT_SENT = /^(No connection established|Name resolution failed)/;

/**
 * Makes a call again as long as it provably was not carried out and there is time: a server that is full or about to
 * go refuses calls before it looks at them. An endpoint that has never answered fails at once: it may be a wrong one.
 */
export async function retryRefused<T>(
	channel: Channel,
	deadline: number,
	attempt: () => Promise<T>,
): Promise<T> {
	for (let wait = MIN_PAUSE; ; wait = Math.min(wait * 2, MAX_PAUSE)) {
		try {
			const result = await attempt();
			channel.hasAnswered = true;
			return result;
		} catch (error) {
			if (!isRefused(error, channel) || Date.now() + wait >= deadline) throw error;
			await pause(wait, undefined, { signal: channel.stop });
		}
	}
}

function isRefused(error: unknown, channel: Channel): boolean {
	const problem = problemOf(error);
	if (problem?.kind !== 'status') return false;
	if (problem.byService) channel.hasAnswered = true;
	if (problem.byService || problem.arrived > 0) return false;
	const { words } = problem;
	return words === REFUSED_STREAM.details || (channel.hasAnswered && NOT_SENT.test(words));
}
