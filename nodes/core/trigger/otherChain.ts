import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Warns that the saved state can no longer be used. The place says where the trigger continues. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	place: string,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from ${place}`,
	);
}
