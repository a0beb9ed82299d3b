import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import type { ApiPath } from '../core/operation/path';
import { createShared } from '../core/operation/results';
import { createStarkNode } from '../core/stark/node';
import type { ChainReader } from '../core/transport/rpc/chain';
import type { RpcRequest } from '../core/transport/rpc/request';
import { connectRpc } from '../core/transport/rpc/rpc';
import { runPoll } from '../core/trigger/poll';
import { events } from './events';
import { event, options, withDefaults } from './fields';
import { readNews, type PollSearch } from './readChain';
import type { StarkTriggerEvent } from './starkEvent';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRpc),
		read: async (client) => await readNews(context, createSearch(context, client)),
		advise: ({ httpCode }) =>
			getStatusAdvice(httpCode, "Check the option 'Path', and the Node URL of the credential."),
	});
}

function createSearch(context: IPollFunctions, client: Client<RpcRequest>): PollSearch {
	const source = createParameterSource(context);
	const name = createParameterParser(source, [event])(0).event as keyof typeof events;
	const { choose, sample }: StarkTriggerEvent = events[name];
	const { watched, createView } = choose(source);
	const { until, path, methodPrefix } = withDefaults(createParameterParser(source, [options])(0));
	const node = createStarkNode(createReader(client, path), methodPrefix);
	return { node, watch: createView(node), watched, sample, until };
}

function createReader(client: Client<RpcRequest>, path: ApiPath): ChainReader {
	return {
		// The calls skip the cache: the same call again is meant to see what has changed.
		call: async (method, params) =>
			await client.call({ path, method, params, isFresh: true }, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
}
