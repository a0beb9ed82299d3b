import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { Stopped } from '../../../nodes/core/errors/stopped';
import { parameterReader, parameterSource } from '../../../nodes/core/operation/parameters';
import { executionsOf } from '../../../nodes/core/trigger/executions';
import { explained, laterIfAllowed, reporter } from '../../../nodes/core/trigger/reports';
import type { MethodRequest } from '../../library/session.mts';
import { openEndpoint } from '../core/endpoint';
import { schemaOf } from '../core/schema';
import { isRefusedToken } from '../core/status';
import { fields } from './fields';
import { Intake } from './intake';
import { keepOpen, opener } from './stream';
import { USUAL, type Timing } from './timing';

const MEANWHILE = 'What the service sends meanwhile is lost, unless it sends it again.';

/** Begins to listen; n8n ends it by the function in the answer. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = USUAL,
): Promise<ITriggerResponse> {
	try {
		return await startListening(context, timing);
	} catch (cause) {
		throw explained(context, cause);
	}
}

async function startListening(
	context: ITriggerFunctions,
	timing: Timing,
): Promise<ITriggerResponse> {
	const closing = new AbortController();
	const { signal } = closing;
	const request = requestOf(context, timing);
	const endpoint = await openEndpoint(context, { stop: signal, keepAlive: timing.silence });
	const intake = new Intake(executionsOf(context, closing), timing, signal);
	const open = opener(endpoint, request, intake, signal, timing);
	const reportOutage = reporter(context, closing);
	const report = (cause: unknown) => reportOutage(cause, MEANWHILE);
	let listening: Promise<void> | undefined;
	const begin = async () => {
		const first = await open().catch(async (cause: unknown) => {
			const failure = signal.aborted ? new Stopped() : cause;
			return await laterIfAllowed(context, failure, isRefusedToken).catch((error) => {
				closing.abort();
				throw error;
			});
		});
		listening = keepOpen({ open, report }, first, signal, timing);
	};
	// In a manual execution n8n is ready, for the event and for Stop, only after this function has returned.
	if (context.getMode() !== 'manual') await begin();
	return {
		manualTriggerFunction: begin,
		closeFunction: async () => {
			closing.abort();
			// Otherwise a manual execution that is stopped would wait for its event for ever.
			if (listening && context.getMode() === 'manual') context.emitError(new Stopped());
			await listening;
		},
	};
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
