import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterSource } from '../core/operation/parameters';
import {
	findLatestEvent,
	formatCursors,
	parseCursors,
	readNews,
	readPresentCursors,
	throwIfServiceLags,
	type AccountCursors,
	type FollowedAccount,
} from '../core/ton/followAccounts';
import type { RestReader } from '../core/chain/reader';
import { connectRest, type RestRequest } from '../core/protocols/rest';
import { warnOfAnotherChain } from '../core/trigger/cursorStorage';
import { createPollReader, createPollStorage, runPoll, type Item } from '../core/trigger/poll';
import { choosePollEvent, throwNoSample, type Sample } from '../core/trigger/pollEvent';
import { isRecord } from '../core/values/parse';
import { events } from './events';
import { event } from './fields';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRest),
		createSearch: async (client) => await createSearch(context, client),
		readSample,
		readNews: async (search, deadline) => await readNewPayments(context, search, deadline),
		advise: ({ httpCode }) => getStatusAdvice(httpCode, 'Check the Node URL of the credential.'),
	});
}

/** The reader, and the choices of the user, by which a poll finds what is new. */
interface PollSearch {
	readonly service: RestReader;
	readonly accounts: readonly FollowedAccount[];
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: Sample;
}

async function createSearch(
	context: IPollFunctions,
	client: Client<RestRequest>,
): Promise<PollSearch> {
	const source = createParameterSource(context);
	const { watched, createView, sample } = choosePollEvent(source, event, events);
	const service: RestReader = createPollReader(client);
	return { service, accounts: await createView(service), watched, sample };
}

async function readSample(
	{ service, accounts, sample }: PollSearch,
	deadline: number,
): Promise<Item> {
	const latest = await findLatestEvent(service, accounts, deadline);
	return latest ? latest.json : throwNoSample(sample);
}

/** Goes on from where the last poll stopped. The saved cursors move only together with what is emitted. */
async function readNewPayments(
	context: IPollFunctions,
	{ service, accounts, watched }: PollSearch,
	deadline: number,
): Promise<readonly Item[]> {
	const { saved, replace, replaceWith } = createPollStorage(context, createStorage(context));
	if (saved?.watched !== watched) {
		replace({ watched, cursors: await readPresentCursors(service, accounts) });
		return [];
	}
	const news = await readNews(service, accounts, saved.cursors, deadline);
	const { cursors, events: found, failure, hasRestarted } = news;
	const isOurs = await replaceWith({ watched, cursors }, found);
	if (isOurs && hasRestarted) warnOfAnotherChain(context, 'the latest transactions');
	if (found.length > 0) return isOurs ? found.map(({ json }) => json) : [];
	if (failure) throw failure;
	await throwIfServiceLags(service);
	return [];
}

interface Saved {
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly cursors: AccountCursors;
}

function createStorage(context: IPollFunctions) {
	const data = context.getWorkflowStaticData('node');
	return {
		data,
		load: (): Saved | undefined => {
			const saved: unknown = data.saved;
			const cursors = isRecord(saved) ? parseCursors(saved.cursors) : undefined;
			return isRecord(saved) && typeof saved.watched === 'string' && cursors
				? { watched: saved.watched, cursors }
				: undefined;
		},
		save: ({ watched, cursors }: Saved): void => {
			data.saved = { watched, cursors: formatCursors(cursors) } as IDataObject;
		},
	};
}
