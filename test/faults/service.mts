import { utils } from 'tronweb';
import type { ServerResponse } from 'node:http';
import { keccak256, toFunctionSelector, type Hex } from 'viem';
import { HASH_OF_SENT } from '../cases/marked.mts';
import {
	getCalls,
	SECRET,
	sendJson,
	type ReceivedRequest,
	type RpcCall,
} from '../harness/server.mts';
import type { Cell } from './fault.mts';
import type { Operation } from './operation.mts';

/** The parts of an operation that decide the answer of a correct service. */
export type Service = Pick<Operation, 'travels' | 'answer' | 'answerTo' | 'builds' | 'others'>;

interface Request {
	readonly service: Service;
	readonly received: ReceivedRequest;
	readonly response: ServerResponse;
	/** The hex text in the requests of the item that meets the fault. */
	readonly mark: string;
	readonly carryOut: () => void;
}

/** Creates what a fault gets for a request: the request, and the ways to answer it. */
export function cellOf({ service, received, response, mark, carryOut }: Request): Cell {
	const isRpc = ['batched', 'onceOverRpc'].includes(service.travels);
	const result = (call: RpcCall) => {
		if (service.answerTo) return service.answerTo({ path: received.path, json: call });
		if (service.answer === HASH_OF_SENT) return keccak256(call.params[0] as Hex);
		return service.others?.[call.method] ?? service.answer;
	};
	const answer = isRpc ? replies(received, result) : getRestAnswer(service, received);
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

const LIFETIME_MS = 60_000;

const createHeader = () => ({
	ref_block_bytes: '0001',
	ref_block_hash: '0000000000000001',
	expiration: Date.now() + LIFETIME_MS,
	timestamp: Date.now(),
});

function getRestAnswer(
	{ answer, answerTo, builds, others }: Service,
	{ path, json }: ReceivedRequest,
): unknown {
	if (answerTo) return answerTo({ path, json });
	const other = others?.[path.split('/').at(-1) ?? ''];
	if (other !== undefined) return other;
	if (builds === 'TriggerSmartContract') {
		return { result: { result: true }, transaction: buildTransaction(builds, toCallValue(json)) };
	}
	return builds ? buildTransaction(builds, json) : answer;
}

/**
 * Converts a call to the form of a built transaction. The request names a function and arguments, and the transaction
 * holds bytes.
 */
function toCallValue(asked: unknown) {
	const { function_selector, parameter, ...value } = asked as Record<string, unknown>;
	const selector = toFunctionSelector(String(function_selector));
	return { ...value, data: selector.slice(2) + String(parameter) };
}

/**
 * Builds the TRON transaction that a request asks for. Its `value` has the fields of the request, without `visible` and
 * `fee_limit`.
 */
function buildTransaction(type: string, asked: unknown): unknown {
	const { visible, fee_limit, ...value } = asked as Record<string, unknown>;
	const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
	const raw_data = { contract: [{ parameter, type }], fee_limit, ...createHeader() };
	const message: unknown = utils.transaction.txJsonToPb({ visible, raw_data });
	const txID = utils.transaction.txPbToTxID(message).slice(2);
	return { visible, txID, raw_data, raw_data_hex: utils.transaction.txPbToRawDataHex(message) };
}

function replies(received: ReceivedRequest, result: (call: RpcCall) => unknown): unknown {
	const all = getCalls(received).map((call) => ({
		jsonrpc: '2.0',
		id: call.id,
		result: result(call),
	}));
	return Array.isArray(received.json) ? all : all[0];
}
