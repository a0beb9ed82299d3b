import type { ExecutionError, ITriggerFunctions } from 'n8n-workflow';
import { activationError } from '../errors/activationError';
import { nodeError } from '../errors/nodeError';
import { RequestFailure, withAdvice } from '../errors/requestFailure';

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
