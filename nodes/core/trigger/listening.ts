import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import { Stopped } from '../errors/stopped';
import { explained, laterIfAllowed } from './reports';

/** What a trigger listens on. */
export interface TriggerLine<Connection> {
	open(): Promise<Connection>;
	/** Goes on until the trigger is closed; opens whatever is not open. */
	keepOpen(first: Connection | undefined): Promise<void>;
	/** Whether a failure will be there later, too. */
	isRefused(failure: RequestFailure): boolean;
}

/** Begins to listen; n8n ends it by the function in the answer. */
export async function listening<Connection>(
	context: ITriggerFunctions,
	prepare: (closing: AbortController) => TriggerLine<Connection> | Promise<TriggerLine<Connection>>,
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
	{ open, keepOpen, isRefused }: TriggerLine<Connection>,
): Promise<ITriggerResponse> {
	let running: Promise<void> | undefined;
	const begin = async () => {
		const first = await open().catch(async (cause: unknown) => {
			const failure = closing.signal.aborted ? new Stopped() : cause;
			return await laterIfAllowed(context, failure, isRefused).catch((error: unknown) => {
				closing.abort();
				throw error;
			});
		});
		running = keepOpen(first);
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
