import type { ExecutionError, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { exponentialBackoff, withJitter } from '../pacing/retry';
import { Stopped, wait } from '../pacing/stop';

/** Where a trigger's events come from. */
export interface Source<Connection> {
	readonly timing: TriggerTiming;
	/** Connects and subscribes; `healthy` ends an outage. */
	open(healthy: () => void): Promise<Connection>;
	/** Emits events until the connection is closed, and rejects with the reason. */
	follow(connection: Connection, healthy: () => void): Promise<never>;
	/** Called once per outage, when it has lasted. */
	report(cause: unknown): void;
	/** A refused credential stays refused: such a failure keeps n8n from activating the workflow. */
	isRefused(failure: RequestFailure): boolean;
}

/** Starts a trigger; n8n stops it by the `closeFunction` of the response. */
export async function listen<Connection>(
	context: ITriggerFunctions,
	prepare: (closing: AbortController) => Promise<Source<Connection>>,
): Promise<ITriggerResponse> {
	const closing = new AbortController();
	try {
		return await activate(context, closing, await prepare(closing));
	} catch (cause) {
		throw triggerError(context, cause);
	}
}

async function activate<Connection>(
	context: ITriggerFunctions,
	closing: AbortController,
	source: Source<Connection>,
): Promise<ITriggerResponse> {
	let running: Promise<void> | undefined;
	const begin = async () => {
		const first = await firstConnection(context, closing, source);
		running = reconnectLoop(source, first, closing.signal);
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

/** Undefined if there is an outage, and n8n itself is starting: it must not leave the workflow inactive. */
async function firstConnection<Connection>(
	context: ITriggerFunctions,
	closing: AbortController,
	{ open, isRefused }: Source<Connection>,
): Promise<Connection | undefined> {
	try {
		return await open(() => {});
	} catch (cause) {
		const failure = closing.signal.aborted ? new Stopped() : cause;
		const isStarting = ['init', 'leadershipChange'].includes(context.getActivationMode());
		const isOutage = failure instanceof RequestFailure && !isRefused(failure);
		if (isStarting && isOutage) return undefined;
		closing.abort();
		throw triggerError(context, failure);
	}
}

/** In the editor n8n shows the description, too. */
function triggerError(context: ITriggerFunctions, cause: unknown): Error {
	const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
	return errorFor(context.getNode(), cause);
}

/** Follows the source until the trigger is closed; reconnects with backoff. */
export async function reconnectLoop<Connection>(
	{ timing, open, follow, report }: Omit<Source<Connection>, 'isRefused'>,
	first: Connection | undefined,
	closing: AbortSignal,
): Promise<void> {
	const outage = new Outage(report, timing.outage);
	const healthy = () => outage.end();
	let attempt = 0;
	for (let connection = first; !closing.aborted; connection = undefined) {
		let since = Infinity;
		try {
			connection ??= await open(healthy);
			since = Date.now();
			await follow(connection, healthy);
		} catch (cause) {
			if (!closing.aborted) outage.goOn(cause);
		}
		attempt = Date.now() - since > timing.stable ? 0 : attempt + 1;
		await wait(backoff(attempt, timing), closing);
	}
}

/** Reported once, when it has lasted. */
class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(
		private readonly report: (cause: unknown) => void,
		private readonly reportedAfter: number,
	) {}

	goOn(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < this.reportedAfter) return;
		this.isReported = true;
		this.report(cause);
	}

	end(): void {
		this.since = undefined;
		this.isReported = false;
	}
}

/** Reports an outage as a failed execution. A manual execution ends with it. */
export function reporter(context: ITriggerFunctions, closing: AbortController) {
	const isManual = context.getMode() === 'manual';
	const { logger } = context;
	return (cause: unknown, outageAdvice?: string): void => {
		const isAdvised = outageAdvice && cause instanceof RequestFailure && !isManual;
		const reported = isAdvised
			? withAdvice(cause, `The trigger keeps trying. ${outageAdvice}`)
			: cause;
		const error = nodeError(context.getNode(), reported);
		// Older versions of n8n cannot do it.
		if ('saveFailedExecution' in context) context.saveFailedExecution(error as ExecutionError);
		else logger.error(error.message);
		if (isManual) closing.abort();
	};
}

/** The timing of every trigger that listens, in milliseconds. */
export interface TriggerTiming {
	readonly firstBackoff: number;
	readonly longestBackoff: number;
	/** A connection that lasted so long was stable: backoff starts over. */
	readonly stable: number;
	/** An outage of this length is reported; services close idle connections now and then. */
	readonly outage: number;
	/** Events within this time of each other start one execution. */
	readonly gathering: number;
}

export const USUAL_TIMING: TriggerTiming = {
	firstBackoff: 500,
	longestBackoff: 15_000,
	stable: 3_000,
	outage: 30_000,
	gathering: 100,
};

/** Before the next attempt. */
export function backoff(attempt: number, { firstBackoff, longestBackoff }: TriggerTiming): number {
	return withJitter(exponentialBackoff(attempt, firstBackoff, longestBackoff));
}
