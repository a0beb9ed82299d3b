import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import type { Client } from '../core/operation/client';
import { createParameterParser, createParameterSource } from '../core/operation/parameters';
import { createShared } from '../core/operation/results';
import {
	findLatestEvent,
	formatCursors,
	parseCursors,
	readNews,
	readPresentCursors,
	throwIfServiceLags,
	type AccountCursors,
	type FollowedAccount,
	type TonEvent,
} from '../core/ton/followAccounts';
import type { TonService } from '../core/ton/service';
import { connectRest, type RestRequest } from '../core/transport/rest/rest';
import {
	checkDatabase,
	createPollStorage,
	getPollDeadline,
	runPoll,
	throwNothingFound,
} from '../core/trigger/poll';
import { isRecord } from '../core/values/parse';
import { events, type TonTriggerEvent } from './events';
import { event } from './fields';

type Json = TonEvent['json'];

/** Finds what is new on the watched accounts since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await runPoll(context, {
		connect: connectNode(connectRest),
		read: async (client) => await readChain(context, client),
		advise: ({ httpCode }) => getStatusAdvice(httpCode, 'Check the Node URL of the credential.'),
	});
}

async function readChain(
	context: IPollFunctions,
	client: Client<RestRequest>,
): Promise<readonly Json[]> {
	const source = createParameterSource(context);
	const name = createParameterParser(source, [event])(0).event as keyof typeof events;
	const { choose, sample }: TonTriggerEvent = events[name];
	const { watched, createView } = choose(source);
	const service: TonService = {
		call: async (request) => await client.call(request, { item: 0, atMostOnce: false }),
		shared: createShared(),
	};
	const watch = { service, accounts: await createView(service), watched };
	const deadline = getPollDeadline(context);
	if (context.getMode() !== 'manual') return await readOnFromCursors(context, watch, deadline);
	const latest = await findLatestEvent(service, watch.accounts, deadline);
	return latest ? [latest.json] : throwNothingFound(sample);
}

interface Watch {
	readonly service: TonService;
	readonly accounts: readonly FollowedAccount[];
	/** A fingerprint of what the user chose. */
	readonly watched: string;
}

/** Goes on from where the last poll stopped. The saved cursors move only together with what is emitted. */
async function readOnFromCursors(
	context: IPollFunctions,
	{ service, accounts, watched }: Watch,
	deadline: number,
): Promise<readonly Json[]> {
	const { saved, replace } = createPollStorage(createStorage(context));
	if (saved?.watched !== watched) {
		replace({ watched, cursors: await readPresentCursors(service, accounts) });
		return [];
	}
	const news = await readNews(service, accounts, saved.cursors, deadline);
	const { cursors, events: found, failure, hasRestarted } = news;
	if (found.length > 0) await checkDatabase(context);
	const isOurs = replace({ watched, cursors });
	if (isOurs && hasRestarted) warnOfAnotherChain(context);
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

/** The cursors are of no use any more. */
function warnOfAnotherChain(context: IPollFunctions): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from the latest transactions`,
	);
}
