import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { ApiPath } from '../operation/path';
import { createShared } from '../operation/results';
import { openHttpClient } from '../net/http/client';
import type { RpcReader } from './reader';
import { ApiPaths, createExchange, sendCall } from '../protocols/rpc/exchange';

/** The timeout in milliseconds is short, because the user waits. */
const TIMEOUT_MS = 10_000;

/** Opens a chain's node for the editor, which asks it while a form is filled in: call by call, without retries. */
export async function openEditorChain(
	context: ILoadOptionsFunctions,
	credentialType: string,
	path: ApiPath,
): Promise<RpcReader> {
	const http = await openHttpClient(context, credentialType);
	const exchange = createExchange(http, new ApiPaths(), TIMEOUT_MS);
	return {
		call: async (method, params) => await sendCall(exchange, { path, method, params }),
		shared: createShared(),
	};
}
