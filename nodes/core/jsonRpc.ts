import { Batcher } from './batcher';
import type { Connect } from './client';
import type { NodeContext } from './context';
import { openDoor } from './http';
import { operationOf } from './operation';
import { transportOptions } from './options';

/** A call of a method. */
export interface RpcRequest {
	/** Below the credential's address; the empty path and `/` are two. */
	readonly path: string;
	readonly method: string;
	readonly params: readonly unknown[];
	/** The id of a call that travels alone, as documented: 1 unless told. */
	readonly id?: number;
	/** It sends a transaction: it travels alone and is never repeated. */
	readonly once?: boolean;
}

export const rpc = operationOf<RpcRequest>();

/** Calls of one tick travel together in batches, a few batches at a time. */
export function rpcClient(credentialType: string): Connect<RpcRequest, NodeContext> {
	return async (context, halt) => {
		const options = transportOptions(context, 'rpc');
		const door = await openDoor(context, credentialType);
		const batcher = new Batcher(door, options, halt);
		return {
			strike: door.strike,
			width: options.batchSize * options.concurrency * 2,
			send: async (request) => await batcher.call(request),
		};
	};
}
