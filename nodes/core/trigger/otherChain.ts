import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Warns that what was saved is of no use any more. The place says where the trigger goes on. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	place: string,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from ${place}`,
	);
}
