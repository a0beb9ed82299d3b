import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import { createShared } from '../core/operation/results';
import { connectRest, type RestRequest } from '../core/transport/rest/rest';
import { runPoll } from '../core/trigger/poll';
import type { WitnessReader } from '../core/witness/reader';
import { events } from './events';
import { event, options, withDefaults } from './fields';
import { readNews, type PollSearch } from './readChain';
import type { WitnessEvent } from './witnessEvent';

/** What is new on the chain since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRest),
		read: async (client) => await readNews(context, createSearch(context, client)),
		advise: ({ httpCode }) => getStatusAdvice(httpCode, 'Check the Node URL of the credential.'),
	});
}

function createSearch(context: IPollFunctions, client: Client<RestRequest>): PollSearch {
	const source = createParameterSource(context);
	const name = createParameterParser(source, [event])(0).event as keyof typeof events;
	const { choose, sample }: WitnessEvent = events[name];
	const { watched, createView } = choose(source);
	const { maxBlocksPerPoll } = withDefaults(createParameterParser(source, [options])(0));
	const reader: WitnessReader = {
		call: async (request) => await client.call(request, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
	return { reader, view: createView(reader), watched, sample, maxBlocksPerPoll };
}
