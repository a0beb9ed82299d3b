import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createLeastAmount } from '../core/chain/payment';
import { getStatusAdvice } from '../core/errors/nodeError';
import { connectNode } from '../core/nodeCredentials';
import { createParameterParser } from '../core/operation/parameters';
import { connectRpc } from '../core/protocols/rpc/connect';
import { followEvents } from '../core/stark/follow';
import { createStarkNode } from '../core/stark/reader';
import { createHintLog } from '../core/trigger/hints';
import {
	buildSearch,
	createRpcReader,
	pollTrigger,
	choosePollEvent,
	buildValueSearch,
	isValueChosen,
} from '../core/trigger/poll';
import { readStart } from '../core/trigger/startAt';
import { event, EVENTS, triggerOptions, withDefaults } from './events';
import { value } from './value';

/** Gives the items that are new since the last poll, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollTrigger(context, {
		connect: connectNode(connectRpc),
		createSearch: (client, source) => {
			const chosen = withDefaults(createParameterParser(source, [triggerOptions])(0));
			const reader = createStarkNode(createRpcReader(client, chosen.path), chosen.methodPrefix);
			if (isValueChosen(source, event))
				return buildValueSearch(value, source, { reader, until: chosen.until });
			const { createView, ...choice } = choosePollEvent(source, event, EVENTS);
			const least = createLeastAmount(chosen.minAmount, createHintLog(context));
			const watch = createView({ reader, least });
			const timezone = context.getTimezone();
			const start = readStart(source, {
				options: triggerOptions,
				given: chosen.startAt,
				timezone,
			});
			return buildSearch({ ...choice, start, followed: followEvents(reader, watch, chosen.until) });
		},
		advise: ({ httpCode }) =>
			getStatusAdvice(httpCode, "Check the option 'Path', and the Node Address of the credential."),
	});
}
