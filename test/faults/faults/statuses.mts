import { sendJson } from '../../harness/server.mts';
import { LOST, ONE, TWICE, type Cell, type Fault } from '../fault.mts';

const echo = (secret: string) => ({ error: { message: `Not with ${secret}.` } });

const BODIES: ReadonlyArray<readonly [string, (secret: string) => readonly [string, string]]> = [
	['JSON', (secret) => ['application/json', JSON.stringify(echo(secret))]],
	['HTML', (secret) => ['text/html', `<!doctype html><title>Not with ${secret}.</title>`]],
	['nothing', () => ['text/plain', '']],
];

/** Creates faults that answer with a status, one for each kind of body. */
function statuses(codes: readonly number[], rest: Omit<Fault, 'name' | 'do'>): Fault[] {
	return codes.flatMap((status) =>
		BODIES.map(([kind, bodyOf]) => ({
			name: `${status} with ${kind}${rest.times ? ', once' : ''}`,
			do: ({ response, secret, carryOut }: Cell) => {
				if (status < 300 || status >= 500) carryOut();
				const [type, body] = bodyOf(secret);
				response.writeHead(status, { 'content-type': type, location: 'https://example.com/' });
				response.end(body);
			},
			...rest,
		})),
	);
}

const REDIRECTS = [300, 301, 302, 303, 304, 305, 307, 308];
/** The statuses that refuse a single request. The other items of a batch must succeed. */
const REFUSALS = [400, 402, 403, 406, 408, 409, 410, 411, 413, 414, 415, 418, 422, 425, 431, 451];

export const refusals: readonly Fault[] = [
	...statuses(REDIRECTS, {
		then: { else: 'fails' },
		requests: ONE,
		words: /redirect|Not with/,
		isShared: true,
	}),
	...statuses(REFUSALS, { then: { else: 'fails' }, requests: ONE }),
	...statuses([401], { then: { else: 'fails' }, requests: ONE, isShared: true }),
	// After status 404 or 405, a JSON-RPC request is tried once more, at the other path that the API of a chain may have.
	...statuses([404], {
		then: { else: 'fails' },
		requests: { ...ONE, onceOverRpc: 2 },
		isShared: true,
	}),
	...statuses([405], { then: { else: 'fails' }, requests: { ...ONE, onceOverRpc: 2 } }),
];

export const failures: readonly Fault[] = [
	...statuses([500, 501, 505, 520, 530, 599], {
		times: 1,
		then: { batched: 'good', rest: 'fails', else: 'unclear' },
		requests: ONE,
	}),
	...statuses([502, 503, 504], { times: 1, then: LOST, requests: TWICE }),
	{
		name: '500 of a server whose time ran out, once',
		times: 1,
		do: ({ response, carryOut }) => {
			carryOut();
			sendJson(response, 500, { error: 'failed to query: context deadline exceeded' });
		},
		then: LOST,
		requests: TWICE,
	},
	...statuses([500, 502, 503, 504, 520], {
		then: { batched: 'fails', rest: 'fails', else: 'unclear' },
		requests: { once: 1, onceSigned: 1, onceOverRpc: 1 },
	}),
	...statuses([204], {
		times: 1,
		then: { batched: 'good', rest: 'fails', else: 'unclear' },
		requests: ONE,
		isEmpty: true,
	}),
];
