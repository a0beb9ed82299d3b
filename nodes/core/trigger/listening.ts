import type { ExecutionError, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { exponentialBackoff, withJitter } from '../pacing/retry';
import { Stopped, wait } from '../pacing/stop';

/** What all triggers that listen take their time for, in milliseconds. */
export interface TriggerTiming {
	readonly firstBackoff: number;
	readonly longestBackoff: number;
	/** What lasted so long was a good connection: the next attempt comes soon. */
	readonly goodLife: number;
	/** An outage of this length is reported; services close idle connections now and then. */
	readonly outage: number;
	/** What comes within this time of something else starts one execution. */
	readonly gathering: number;
}

export const USUAL_TIMING: TriggerTiming = {
	firstBackoff: 500,
	longestBackoff: 15_000,
	goodLife: 3_000,
	outage: 30_000,
	gathering: 100,
};

/** How long to wait before the next attempt. */
export function backoff(attempt: number, timing: TriggerTiming): number {
	return withJitter(exponentialBackoff(attempt, timing.firstBackoff, timing.longestBackoff));
}

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

/** What a trigger listens on. */
export interface TriggerLine<Connection> {
	readonly timing: TriggerTiming;
	/** Opens it; `well` says that an outage is over. */
	open(well: () => void): Promise<Connection>;
	/** Emits what happens until the connection is over, and fails with the reason. */
	follow(connection: Connection, well: () => void): Promise<never>;
	/** Called once for an outage that lasts. */
	report(cause: unknown): void;
}

/** Keeps a trigger going until it is closed: opens again whatever is over. */
export async function keepOpen<Connection>(
	{ timing, open, follow, report }: TriggerLine<Connection>,
	first: Connection | undefined,
	closing: AbortSignal,
): Promise<void> {
	const outage = new Outage(report, timing.outage);
	const well = () => outage.ended();
	let attempt = 0;
	for (let connection = first; !closing.aborted; connection = undefined) {
		let since = Infinity;
		try {
			connection ??= await open(well);
			since = Date.now();
			await follow(connection, well);
		} catch (cause) {
			if (!closing.aborted) outage.goesOn(cause);
		}
		attempt = Date.now() - since > timing.goodLife ? 0 : attempt + 1;
		await wait(backoff(attempt, timing), closing);
	}
}

/** Reports an outage that lasts, once. */
class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(
		private readonly report: (cause: unknown) => void,
		private readonly patience: number,
	) {}

	goesOn(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < this.patience) return;
		this.isReported = true;
		this.report(cause);
	}

	ended(): void {
		this.since = undefined;
		this.isReported = false;
	}
}

/** Tells of an outage. A manual execution fails with it, and then it is over. */
export function reporter(context: ITriggerFunctions, closing: AbortController) {
	const isManual = context.getMode() === 'manual';
	const { logger } = context;
	return (cause: unknown, meanwhile?: string): void => {
		const isAdvised = meanwhile && cause instanceof RequestFailure && !isManual;
		const reported = isAdvised
			? withAdvice(cause, `The trigger keeps trying. ${meanwhile}`)
			: cause;
		const error = nodeError(context.getNode(), reported);
		// Older versions of n8n cannot do it.
		if ('saveFailedExecution' in context) context.saveFailedExecution(error as ExecutionError);
		else logger.error(error.message);
		if (isManual) closing.abort();
	};
}

/** When n8n itself starts, a node that is down for the moment must not keep the workflow off. */
export async function laterIfAllowed(
	context: ITriggerFunctions,
	cause: unknown,
	isRefused: (failure: RequestFailure) => boolean,
): Promise<undefined> {
	const mayWait = ['init', 'leadershipChange'].includes(context.getActivationMode());
	const isOutage = cause instanceof RequestFailure && !isRefused(cause);
	if (mayWait && isOutage) return undefined;
	return await Promise.reject(explained(context, cause));
}

/** Of a manual execution n8n shows the description, too. */
export function explained(context: ITriggerFunctions, cause: unknown): Error {
	const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
	return errorFor(context.getNode(), cause);
}
