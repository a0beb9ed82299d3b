import {
	deepCopy,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { isSearchLimit } from '../core/evm/searchLimit';
import type { Client } from '../core/protocols/client';
import { RequestFailure, withAdvice, withoutSecrets } from '../core/errors/requestFailure';
import { nodeError } from '../core/errors/nodeError';
import { Stop } from '../core/pacing/stop';
import { rpcClient } from '../core/protocols/rpc';
import { type RpcRequest } from '../core/protocols/rpcRequest';
import { nodeClient } from '../core/protocols/nodeClient';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import { fields, wanted, type Wanted } from './fields';
import { readChain } from './readChain';
import type { AskAt } from './watch';

/** What is new on the chain since the last poll, or null: n8n starts no execution then. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const stop = new Stop();
	try {
		const client = await nodeClient(rpcClient)(context, stop);
		const parameters = wanted(parameterReader(parameterSource(context), fields)(0));
		const found = await inPlainWords(
			async () => await readChain(context, parameters, askAt(client)),
			(failure) => withoutSecrets(withAdvice(failure, advice(failure, parameters)), client.redact),
		);
		// What was told may be kept as well, and what comes after a trigger may change its items.
		return found.length > 0
			? [found.map((json) => ({ json: deepCopy(json as IDataObject) }))]
			: null;
	} catch (failure) {
		throw nodeError(context.getNode(), failure);
	} finally {
		// Calls that still wait to be repeated would come too late.
		stop.stopNow();
	}
}

function askAt(client: Client<RpcRequest>): AskAt {
	return (path) => async (method, params) =>
		await client.send({ path, method, params }, { item: 0, once: false });
}

async function inPlainWords<T>(
	job: () => Promise<T>,
	explained: (failure: RequestFailure) => RequestFailure,
): Promise<T> {
	try {
		return await job();
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) return await Promise.reject(failure);
		throw explained(failure);
	}
}

function advice(failure: RequestFailure, { event }: Wanted): string | undefined {
	return event === 'addressActivity' && isSearchLimit(failure)
		? "If the node limits how many blocks one search may span, lower the option 'Max Blocks Per Poll'."
		: undefined;
}
