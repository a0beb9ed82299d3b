import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createLeastAmount } from '../core/chain/payment';
import type { RestReader } from '../core/chain/reader';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import { createParameterParser } from '../core/operation/parameters';
import { connectRest } from '../core/protocols/rest';
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
import { followBlocks } from '../core/witness/follow';
import { event, EVENTS, triggerOptions, withDefaults } from './events';
import { value } from './value';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollTrigger(context, {
		connect: connectNode(connectRest),
		createSearch: (client, source) => {
			const chosen = withDefaults(createParameterParser(source, [triggerOptions])(0));
			const reader: RestReader = createPollReader(client);
			if (isValueChosen(source, event)) return buildValueSearch(value, source, { reader });
			const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
			const least = createLeastAmount(chosen.minAmount, createHintLog(context));
			const followed = followBlocks(reader, createView({ reader, least }));
			const timezone = context.getTimezone();
			const start = readStart(source, {
				options: triggerOptions,
				given: chosen.startAt,
				timezone,
			});
			return buildSearch({ ...choice, start, followed, maxBlocks: chosen.maxBlocksPerPoll });
		},
		advise: ({ httpCode }) =>
			getStatusAdvice(httpCode, 'Check the Node Address of the credential.'),
	});
}
