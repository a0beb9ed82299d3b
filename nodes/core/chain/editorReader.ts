import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { RequestFailure, withoutSecrets } from '../errors/requestFailure';
import { getCredentialTypeFor } from '../nodeCredentials';
import type { ApiPath } from '../operation/path';
import { openHttpClient } from '../net/http/client';
import type { HttpClient } from '../net/http/types';
import type { RestReader, RpcReader } from './reader';
import { sendRest } from '../protocols/rest';
import { ApiPaths, createExchange, sendCall } from '../protocols/rpc/exchange';
import { createShared } from '../net/pacing/shared';

/** The timeout in milliseconds. It is short, because the user is waiting in the editor. */
const TIMEOUT_MS = 10_000;

/**
 * Opens a chain node for the editor, to load lists while a form is filled in. Each call is sent alone and without
 * retries.
 */
export async function openEditorChain(
	context: ILoadOptionsFunctions,
	credentialType: string,
	path: ApiPath,
): Promise<RpcReader> {
	const http = await openHttpClient(context, credentialType);
	const exchange = createExchange(http, new ApiPaths(), TIMEOUT_MS);
	return {
		call: async (method, params) =>
			await hideSecrets(http, sendCall(exchange, { path, method, params })),
		shared: createShared(),
	};
}

/** Opens a service for a list in the editor, with the selected credential. */
export async function openEditorService(
	context: ILoadOptionsFunctions,
	credentialType: string = getCredentialTypeFor(context.getCurrentNodeParameter('authentication')),
): Promise<RestReader> {
	const http = await openHttpClient(context, credentialType);
	return {
		call: async (request) =>
			await hideSecrets(http, sendRest(http, { ...request, timeout: TIMEOUT_MS })),
		shared: createShared(),
	};
}

async function hideSecrets<T>({ redact }: HttpClient, answer: Promise<T>): Promise<T> {
	return await answer.catch((failure) => {
		throw failure instanceof RequestFailure ? withoutSecrets(failure, redact) : failure;
	});
}
