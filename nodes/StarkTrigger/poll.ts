import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import { createStarkNode } from '../core/stark/node';
import type { RpcRequest } from '../core/protocols/rpc/request';
import { connectRpc } from '../core/protocols/rpc/rpc';
import { createRpcReader, runPoll } from '../core/trigger/poll';
import { choosePollEvent } from '../core/trigger/pollEvent';
import { events } from './events';
import { event, options, withDefaults } from './fields';
import { readNews, readSample, type PollSearch } from './readChain';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRpc),
		createSearch: (client) => createSearch(context, client),
		readSample,
		readNews: async (search, deadline) => await readNews(context, search, deadline),
		advise: ({ httpCode }) =>
			getStatusAdvice(httpCode, "Check the option 'Path', and the Node URL of the credential."),
	});
}

function createSearch(context: IPollFunctions, client: Client<RpcRequest>): PollSearch {
	const source = createParameterSource(context);
	const { watched, createView, sample } = choosePollEvent(source, event, events);
	const { until, path, methodPrefix } = withDefaults(createParameterParser(source, [options])(0));
	const node = createStarkNode(createRpcReader(client, path), methodPrefix);
	return { node, watch: createView(node), watched, sample, until };
}
