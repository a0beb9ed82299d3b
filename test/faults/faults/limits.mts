import { sendJson } from '../../harness/server.mts';
import { AGAIN, LOST, ONE, RPC, rpcError, TURNED_AWAY, TWICE, type Fault } from '../fault.mts';

const soon = { 'retry-after': '0.05' };
const tomorrow = { 'retry-after': '86400' };
const limit = { code: -32005, message: 'Slow down.' };

export const limits: readonly Fault[] = [
	{
		name: '429 that says when',
		times: 1,
		do: ({ response }) => sendJson(response, 429, {}, soon),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '429 with HTML that says when',
		times: 2,
		do: ({ response }) =>
			response.writeHead(429, { 'content-type': 'text/html', ...soon }).end('<html>Slow down'),
		then: { else: 'good' },
		requests: { rest: 3, once: 3, onceSigned: 3, onceOverRpc: 3 },
	},
	{
		name: '429 with a date',
		times: 1,
		do: ({ response }) =>
			sendJson(response, 429, {}, { 'retry-after': new Date(Date.now() + 900).toUTCString() }),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '429 without a time',
		times: 1,
		do: ({ response }) => sendJson(response, 429, { message: 'Slow down.' }),
		...TURNED_AWAY,
		words: /Slow down/,
	},
	{
		name: '429 with a time that is none',
		times: 1,
		do: ({ response }) => sendJson(response, 429, {}, { 'retry-after': 'soon' }),
		...TURNED_AWAY,
	},
	{
		name: '429 until tomorrow',
		do: ({ response }) => sendJson(response, 429, {}, tomorrow),
		then: { else: 'fails' },
		requests: ONE,
		words: /come back in 24 hours, at \d{4}-/,
		isShared: true,
	},
	{
		name: '429 of a monthly quota',
		do: ({ response }) =>
			sendJson(response, 429, { message: 'Your monthly quota is exceeded.' }, soon),
		then: { else: 'fails' },
		requests: ONE,
		words: /monthly quota/,
		isShared: true,
	},
	{
		name: '503 that says when',
		times: 1,
		do: ({ response }) => sendJson(response, 503, {}, soon),
		then: LOST,
		requests: TWICE,
	},
	{
		name: '-32005 that says when',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '50.5ms' } }),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '-32005 with status 429 that says when',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '50ms' } }, 429),
		then: { else: 'good' },
		requests: { rest: 2, onceOverRpc: 2 },
		only: ['batched', 'onceOverRpc'],
	},
	{
		name: '-32005 without a time',
		times: 1,
		do: (cell) => rpcError(cell, limit),
		...TURNED_AWAY,
	},
	{
		name: '-32005 with a time of 40,000 digits',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '1'.repeat(40_000) } }),
		...TURNED_AWAY,
	},
	{
		name: '-32005 until tomorrow',
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '24h' } }),
		then: { else: 'fails' },
		requests: ONE,
		words: /come back in 24 hours/,
	},
	{
		name: '-32005 of too many results',
		do: (cell) => rpcError(cell, { ...limit, message: 'query returned more than 10000 results' }),
		then: { else: 'fails' },
		requests: ONE,
		words: /more than 10000 results.*Ask for less at a time/s,
		only: RPC,
	},
	{
		name: '429 as a code of JSON-RPC',
		times: 1,
		do: (cell) => rpcError(cell, { code: 429, message: 'Too many requests' }),
		...TURNED_AWAY,
	},
];
