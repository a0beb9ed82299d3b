import type { RpcReader } from '../../../../nodes/core/chain/reader';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { rpcError } from '../../../../nodes/core/net/responses/rpcErrors';
import type { Sandbox } from '../../../harness/sandbox.mts';
import { createShared } from '../../../../nodes/core/net/pacing/shared';

/** Creates a reader of the sandbox's chain. The method `missing` fails as it does on a node that does not have it. */
export function createReader({ chain }: Sandbox, missing?: string): RpcReader {
	return {
		shared: createShared(),
		call: async (method, params) => {
			if (method === missing) throw rpcError(method, { code: -32601, message: 'Method not found' });
			try {
				return await chain(method, ...(params as unknown[]));
			} catch (failure) {
				if (failure instanceof RequestFailure) throw failure;
				throw rpcError(method, JSON.parse((failure as Error).message));
			}
		},
	};
}
