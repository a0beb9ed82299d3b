import type { ServerResponse } from 'node:http';
import type { Travels } from '../cases/case.mts';
import { getCalls, sendJson, type ReceivedRequest, type RpcCall } from '../harness/server.mts';

/**
 * What becomes of the item that meets a fault. `good`: it has its answer. `fails`: it fails, and it is certain that
 * nothing was done. `unclear`: it fails, and what spends says that it may have been carried out.
 */
export type Outcome = 'good' | 'fails' | 'unclear';

export interface Cell {
	readonly received: ReceivedRequest;
	readonly response: ServerResponse;
	/** Whether a request brings calls of several items. */
	readonly isBatch: boolean;
	/** Whether a call of it is that of the item that meets the fault. */
	readonly isMet: (call: RpcCall | undefined) => boolean;
	/** Gives the answer that an honest service would, and carries out what was asked. */
	readonly honest: (headers?: Record<string, string>) => void;
	/** Carries out what was asked, and says nothing. */
	readonly carryOut: () => void;
	/** The honest answer, as text. */
	readonly body: string;
	/** The honest result of a call. */
	readonly result: (call: RpcCall) => unknown;
	/** A secret that must not be seen again. */
	readonly secret: string;
}

export interface Fault {
	readonly name: string;
	readonly do: (cell: Cell) => void;
	/** How often it happens; for ever unless told. */
	readonly times?: number;
	/** What becomes of the item, by the way it travels; or the user stops the execution when the fault has happened. */
	readonly then: 'stopped' | (Partial<Record<Travels, Outcome>> & { readonly else: Outcome });
	/** How many requests with this item there are: all of them where it says nothing. */
	readonly requests?: Partial<Record<Travels, number>>;
	readonly words?: RegExp;
	readonly only?: readonly Travels[];
	/** It is one of the whole service: calls of other items that travel together with this one fail, too. */
	readonly isShared?: boolean;
	/** JSON, though not of this operation: an answer to those that take any. */
	readonly isJson?: boolean;
	/** It ends only when the client gives up. */
	readonly isSilent?: boolean;
	/** A place that the credential names instead of the service. */
	readonly instead?: () => Promise<Place>;
}

export interface Place {
	readonly url: string;
	readonly stop: () => Promise<void>;
}

export const RPC: readonly Travels[] = ['batched', 'onceOverRpc'];

/** An error of JSON-RPC for the call that meets the fault, whatever API was asked. */
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
export const TWICE = { rest: 2, once: 1, onceOverRpc: 1 } as const;
export const ONE = { rest: 1, once: 1, onceOverRpc: 1 } as const;
export const AGAIN = { rest: 2, once: 2, onceOverRpc: 2 } as const;
