import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import { connectRest, type RestRequest } from '../core/protocols/rest';
import { createPollReader, runPoll } from '../core/trigger/poll';
import { choosePollEvent } from '../core/trigger/pollEvent';
import type { RestReader } from '../core/chain/reader';
import { events } from './events';
import { event, options, withDefaults } from './fields';
import { readNews, readSample, type PollSearch } from './readChain';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRest),
		createSearch: (client) => createSearch(context, client),
		readSample,
		readNews: async (search, deadline) => await readNews(context, search, deadline),
		advise: ({ httpCode }) => getStatusAdvice(httpCode, 'Check the Node URL of the credential.'),
	});
}

function createSearch(context: IPollFunctions, client: Client<RestRequest>): PollSearch {
	const source = createParameterSource(context);
	const { watched, createView, sample } = choosePollEvent(source, event, events);
	const { maxBlocksPerPoll } = withDefaults(createParameterParser(source, [options])(0));
	const reader: RestReader = createPollReader(client);
	return { reader, view: createView(reader), watched, sample, maxBlocksPerPoll };
}
