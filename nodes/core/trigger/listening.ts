import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import { Stopped } from '../errors/stopped';
import { keepOpen, type TriggerLine } from './keepOpen';
import { explained, laterIfAllowed } from './reports';

interface Listening<Connection> extends TriggerLine<Connection> {
	/** Whether a failure will be there later, too. */
	isRefused(failure: RequestFailure): boolean;
}

/** Begins to listen; n8n ends it by the function in the answer. */
export async function listening<Connection>(
	context: ITriggerFunctions,
	prepare: (closing: AbortController) => Promise<Listening<Connection>>,
): Promise<ITriggerResponse> {
	const closing = new AbortController();
	try {
		return await listenOn(context, closing, await prepare(closing));
	} catch (cause) {
		throw explained(context, cause);
	}
}

async function listenOn<Connection>(
	context: ITriggerFunctions,
	closing: AbortController,
	line: Listening<Connection>,
): Promise<ITriggerResponse> {
	let running: Promise<void> | undefined;
	const begin = async () => {
		const first = await line
			.open(() => {})
			.catch(async (cause: unknown) => {
				const failure = closing.signal.aborted ? new Stopped() : cause;
				return await laterIfAllowed(context, failure, line.isRefused).catch((error: unknown) => {
					closing.abort();
					throw error;
				});
			});
		running = keepOpen(line, first, closing.signal);
	};
	// In a manual execution n8n is ready, for the event and for Stop, only after this function has returned.
	if (context.getMode() !== 'manual') await begin();
	return {
		manualTriggerFunction: begin,
		closeFunction: async () => {
			closing.abort();
			// Otherwise a manual execution that is stopped would wait for its event for ever.
			if (running && context.getMode() === 'manual') context.emitError(new Stopped());
			await running;
		},
	};
}
