import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createLeastAmount } from '../core/chain/payment';
import type { RestReader } from '../core/chain/reader';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import { connectRest } from '../core/protocols/rest';
import { followAccounts } from '../core/ton/follow';
import { createHintLog } from '../core/trigger/hints';
import {
	buildSearch,
	createPollReader,
	pollTrigger,
	choosePollEvent,
	buildValueSearch,
	isValueChosen,
} from '../core/trigger/poll';
import { readStart } from '../core/trigger/startAt';
import { event, EVENTS, parseOptions, triggerOptions } from './events';
import { value } from './value';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollTrigger(context, {
		connect: connectNode(connectRest),
		createSearch: async (client, source) => {
			const reader: RestReader = createPollReader(client);
			if (isValueChosen(source, event)) return buildValueSearch(value, source, { reader });
			const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
			const { minAmount, startAt } = parseOptions(source);
			const least = createLeastAmount(minAmount, createHintLog(context));
			const accounts = await createView({ reader, least });
			const timezone = context.getTimezone();
			const start = readStart(source, { options: triggerOptions, given: startAt, timezone });
			return buildSearch({ ...choice, start, followed: followAccounts(reader, accounts) });
		},
		advise: ({ httpCode }) =>
			getStatusAdvice(httpCode, 'Check the Node Address of the credential.'),
	});
}
