import type { ServerResponse } from 'node:http';
import { callsOf, SECRET, sendJson, type Received, type RpcCall } from '../harness/server.mts';
import type { Cell } from './fault.mts';
import type { Operation } from './operation.mts';

/** What a service answers when it is honest. */
export type Service = Pick<Operation, 'travels' | 'answer' | 'others'>;

interface Request {
	readonly service: Service;
	readonly received: Received;
	readonly response: ServerResponse;
	/** That of the item that meets a fault. */
	readonly mark: string;
	readonly carryOut: () => void;
}

/** What a fault may do with a request. */
export function cellOf({ service, received, response, mark, carryOut }: Request): Cell {
	const isRpc = ['batched', 'onceOverRpc'].includes(service.travels);
	const result = ({ method }: RpcCall) => service.others?.[method] ?? service.answer;
	const answer = isRpc ? replies(received, result) : service.answer;
	return {
		received,
		response,
		isBatch: Array.isArray(received.json),
		isMet: (call) => !isRpc || (received.path + JSON.stringify(call)).includes(mark),
		honest: (headers) => {
			carryOut();
			sendJson(response, 200, answer, headers);
		},
		carryOut,
		body: JSON.stringify(answer),
		result,
		secret: SECRET,
	};
}

function replies(received: Received, result: (call: RpcCall) => unknown): unknown {
	const all = callsOf(received).map((call) => ({
		jsonrpc: '2.0',
		id: call.id,
		result: result(call),
	}));
	return Array.isArray(received.json) ? all : all[0];
}
