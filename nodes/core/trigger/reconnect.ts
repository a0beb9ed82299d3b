import type { ExecutionError, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { activationError, nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { computeBackoff, withJitter } from '../net/pacing/retry';
import { Stopped, wait } from '../net/pacing/stop';

/** Opens a connection for a trigger, and reads events from it. */
interface TriggerSource<Connection> {
	readonly timing: TriggerTiming;
	/** Connects and subscribes. */
	open(): Promise<Connection>;
	/** Reads and emits events until the connection is closed. Throws the reason for the end. */
	listen(connection: Connection): AsyncIterable<TriggerStep>;
	/** Is called once for each outage, after it has lasted for some time. */
	report(cause: unknown): void;
	/**
	 * Whether the service refused the credential. n8n then cannot activate the workflow, because a retry would not
	 * help.
	 */
	isRefused(failure: RequestFailure): boolean;
}

/** A step of a trigger on its connection. `caughtUp` means that everything was read, which ends an outage. */
interface TriggerStep {
	readonly kind: string;
}

/** Starts a trigger. n8n stops the trigger by calling `closeFunction` of the response. */
export async function startTrigger<Connection>(
	context: ITriggerFunctions,
	prepare: (closing: AbortController) => Promise<TriggerSource<Connection>>,
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
	source: TriggerSource<Connection>,
): Promise<ITriggerResponse> {
	let running: Promise<void> | undefined;
	const begin = async () => {
		const first = await openFirstConnection(context, closing, source);
		running = runReconnectLoop(source, first, closing.signal);
	};
	// In a manual execution, n8n is ready for events and for Stop only after this function has returned.
	if (context.getMode() !== 'manual') await begin();
	return {
		manualTriggerFunction: begin,
		closeFunction: async () => {
			closing.abort();
			// Without this error, a stopped manual execution would wait for its event forever.
			if (running && context.getMode() === 'manual') context.emitError(new Stopped());
			await running;
		},
	};
}

/** The activation modes in which n8n itself starts, or another main process takes over. */
export const STARTING_MODES: readonly string[] = ['init', 'leadershipChange'];

/**
 * Opens the first connection. If the service is down while n8n itself starts, it returns undefined, because n8n must
 * not leave the workflow inactive.
 */
async function openFirstConnection<Connection>(
	context: ITriggerFunctions,
	closing: AbortController,
	{ open, isRefused }: TriggerSource<Connection>,
): Promise<Connection | undefined> {
	try {
		return await open();
	} catch (cause) {
		const failure = closing.signal.aborted ? new Stopped() : cause;
		const isStarting = STARTING_MODES.includes(context.getActivationMode());
		const isOutage = failure instanceof RequestFailure && !isRefused(failure);
		if (isStarting && isOutage) return undefined;
		closing.abort();
		throw triggerError(context, failure);
	}
}

/** Builds the error of a trigger. Only in the editor does n8n also show the description. */
function triggerError(context: ITriggerFunctions, cause: unknown): Error {
	const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
	return errorFor(context.getNode(), cause);
}

/** Reads events until the trigger is closed. After each lost connection, it connects again, with growing pauses. */
export async function runReconnectLoop<Connection>(
	{ timing, open, listen, report }: Omit<TriggerSource<Connection>, 'isRefused'>,
	first: Connection | undefined,
	closing: AbortSignal,
): Promise<void> {
	const outage = new Outage(report, timing.outageMs);
	let attempt = 0;
	for (let connection = first; !closing.aborted; connection = undefined) {
		let since = Infinity;
		try {
			connection ??= await open();
			since = Date.now();
			for await (const { kind } of listen(connection)) if (kind === 'caughtUp') outage.end();
		} catch (cause) {
			if (!closing.aborted) outage.record(cause);
		}
		attempt = Date.now() - since > timing.stableMs ? 0 : attempt + 1;
		await wait(getBackoff(attempt, timing), closing);
	}
}

/** Reports an outage once, after it has lasted for some time. */
class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(
		private readonly report: (cause: unknown) => void,
		private readonly reportAfterMs: number,
	) {}

	record(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < this.reportAfterMs) return;
		this.isReported = true;
		this.report(cause);
	}

	end(): void {
		this.since = undefined;
		this.isReported = false;
	}
}

/** Makes a function that reports an outage as a failed execution. A manual execution then ends. */
export function createReporter(context: ITriggerFunctions, closing: AbortController) {
	const isManual = context.getMode() === 'manual';
	const { logger } = context;
	return (cause: unknown, outageAdvice?: string): void => {
		const isAdvised = outageAdvice && cause instanceof RequestFailure && !isManual;
		const reported = isAdvised
			? withAdvice(cause, `The trigger keeps trying. ${outageAdvice}`)
			: cause;
		const error = nodeError(context.getNode(), reported);
		// Older versions of n8n cannot save failed executions, so the error is logged.
		if ('saveFailedExecution' in context) context.saveFailedExecution(error as ExecutionError);
		else logger.error(error.message);
		if (isManual) closing.abort();
	};
}

/** The times of a trigger that keeps a connection open, in milliseconds. */
export interface TriggerTiming {
	readonly firstBackoffMs: number;
	readonly maxBackoffMs: number;
	/** After a connection that lasted this long, the pauses before new attempts begin again with the shortest. */
	readonly stableMs: number;
	/**
	 * How long an outage must last to be reported. Shorter outages are normal, because services sometimes close idle
	 * connections.
	 */
	readonly outageMs: number;
	/** Events within this time of each other are emitted in one execution. */
	readonly gatheringMs: number;
}

export const DEFAULT_TIMING: TriggerTiming = {
	firstBackoffMs: 500,
	maxBackoffMs: 15_000,
	stableMs: 3_000,
	outageMs: 30_000,
	gatheringMs: 100,
};

/** Returns the pause before the next attempt to connect, in milliseconds. */
export function getBackoff(
	attempt: number,
	{ firstBackoffMs, maxBackoffMs }: TriggerTiming,
): number {
	return withJitter(computeBackoff(attempt, firstBackoffMs, maxBackoffMs));
}
