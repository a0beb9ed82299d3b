import { sendJson } from '../../harness/server.mts';
import type { Fault } from '../fault.mts';

/**
 * Creates a fault during which the user stops the execution. Requests in progress end, and no more requests are sent.
 */
const stop = (name: string, happens: Fault['do'], only?: Fault['only']): Fault => ({
	name: `stopped ${name}`,
	do: happens,
	then: 'stopped',
	only,
});

export const stops: readonly Fault[] = [
	stop('before an answer', ({ carryOut }) => carryOut()),
	stop('in the middle of an answer', ({ response, carryOut, body }) => {
		carryOut();
		response.writeHead(200, { 'content-length': body.length });
		response.write(body.slice(0, -3));
	}),
	stop('while a limit is waited for', ({ response }) =>
		sendJson(response, 429, {}, { 'retry-after': '1' }),
	),
	stop('while another attempt is waited for', ({ response }) => sendJson(response, 502, {}), [
		'batched',
		'rest',
	]),
];
