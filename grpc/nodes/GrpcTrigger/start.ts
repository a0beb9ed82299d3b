import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { parameterReader, parameterSource } from '../../../nodes/core/operation/parameters';
import { executionsOf } from '../../../nodes/core/trigger/executions';
import { listen, reporter } from '../../../nodes/core/trigger/listen';
import type { MethodRequest } from '../../library/session.mts';
import { openEndpoint } from '../core/endpoint';
import { schemaOf } from '../core/schema';
import { isRefusedToken } from '../core/status';
import { fields } from './fields';
import { Intake } from './intake';
import { follow, opener, type Stream } from './stream';
import { USUAL, type Timing } from './timing';

const OUTAGE_ADVICE = 'What the service sends meanwhile is lost, unless it sends it again.';

/** Starts the trigger; n8n stops it by the `closeFunction` of the response. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = USUAL,
): Promise<ITriggerResponse> {
	return await listen<Stream>(context, async (closing) => {
		const { signal } = closing;
		const request = requestOf(context, timing);
		const endpoint = await openEndpoint(context, { stop: signal, keepAlive: timing });
		const intake = new Intake(executionsOf(context, closing), timing, signal);
		const report = reporter(context, closing);
		return {
			timing,
			open: opener(endpoint, request, intake, signal, timing),
			follow: async (stream, healthy) => await follow(stream, healthy, timing),
			report: (cause) => report(cause, OUTAGE_ADVICE),
			isRefused: isRefusedToken,
		};
	});
}

function requestOf(context: ITriggerFunctions, { describing }: Timing): MethodRequest {
	const chosen = parameterReader(parameterSource(context), fields)(0);
	return {
		schema: schemaOf(chosen),
		service: chosen.service,
		method: chosen.method,
		requests: { by: 'many', json: chosen.requests },
		bytesAs: chosen.options.bytesAs,
		timeout: describing,
	};
}
