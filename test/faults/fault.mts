import type { ServerResponse } from 'node:http';
import type { Travels } from '../cases/case.mts';
import { getCalls, sendJson, type ReceivedRequest, type RpcCall } from '../harness/server.mts';

/**
 * The outcome of the item that meets a fault.
 * `good` means that the item has its answer.
 * `fails` means that the item has failed and that nothing was carried out.
 * `unclear` means that the item has failed, and that an operation that spends warns that it may have been carried out.
 */
export type Outcome = 'good' | 'fails' | 'unclear';

export interface Cell {
	readonly received: ReceivedRequest;
	readonly response: ServerResponse;
	/** Whether the request has calls of several items. */
	readonly isBatch: boolean;
	/** Returns whether a call belongs to the item that meets the fault. */
	readonly isMet: (call: RpcCall | undefined) => boolean;
	/** Answers as a correct service would, and carries out the request. */
	readonly honest: (headers?: Record<string, string>) => void;
	/** Carries out the request without an answer. */
	readonly carryOut: () => void;
	/** The honest answer, as text. */
	readonly body: string;
	/** Returns the correct result of a call. */
	readonly result: (call: RpcCall) => unknown;
	/** A secret that must not appear in the outcome. */
	readonly secret: string;
}

export interface Fault {
	readonly name: string;
	readonly do: (cell: Cell) => void;
	/** How often the fault happens. By default, it always happens. */
	readonly times?: number;
	/**
	 * The outcome of the item, by the way of sending its requests. `stopped` means that the user stops the execution
	 * after the fault.
	 */
	readonly then: 'stopped' | (Partial<Record<Travels, Outcome>> & { readonly else: Outcome });
	/**
	 * The number of requests that contain the item that meets the fault, by the way of sending. By default, all
	 * requests contain it.
	 */
	readonly requests?: Partial<Record<Travels, number>>;
	readonly words?: RegExp;
	readonly only?: readonly Travels[];
	/** Whether the answer has a success status but no content. */
	readonly isEmpty?: boolean;
	/** Whether the fault affects the whole service, so that calls of other items in the same request fail too. */
	readonly isShared?: boolean;
	/** Whether the answer is JSON of another operation. An operation that accepts any answer accepts it. */
	readonly isJson?: boolean;
	/** Whether the fault ends only when the client gives up. */
	readonly isSilent?: boolean;
	/** Opens an address that the credential names in place of the service. */
	readonly instead?: () => Promise<Place>;
}

export interface Place {
	readonly url: string;
	readonly stop: () => Promise<void>;
}

export const RPC: readonly Travels[] = ['batched', 'onceOverRpc'];

/** Answers with a JSON-RPC error for the call that meets the fault, and with correct results for other calls. */
export function rpcError(cell: Cell, error: object, status = 200): void {
	const { received, response, isMet, result } = cell;
	const replies = getCalls(received).map((call) => ({
		jsonrpc: '2.0',
		id: call?.id ?? 1,
		...(isMet(call) ? { error } : { result: result(call) }),
	}));
	sendJson(response, status, Array.isArray(received.json) ? replies : replies[0]);
}

export const LOST = { batched: 'good', rest: 'good', else: 'unclear' } as const;
export const TWICE = { rest: 2, once: 1, onceSigned: 1, onceOverRpc: 1 } as const;
export const ONE = { rest: 1, once: 1, onceSigned: 1, onceOverRpc: 1 } as const;
export const AGAIN = { rest: 2, once: 2, onceSigned: 2, onceOverRpc: 2 } as const;

/**
 * The outcome of a rate limit that names no waiting time. A request is repeated only if it changes nothing, or if it
 * takes effect once, however often it arrives.
 */
export const TURNED_AWAY = {
	then: { batched: 'good', rest: 'good', onceSigned: 'good', else: 'fails' },
	requests: { ...TWICE, onceSigned: 2 },
} as const;
