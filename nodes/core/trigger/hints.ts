import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Reports what is not a failure. A trigger can only write to n8n's log, where the same text comes once. */
export function createHintLog(context: ITriggerFunctions | IPollFunctions): (hint: string) => void {
	const said = new Set<string>();
	return (hint) => {
		if (said.has(hint)) return;
		said.add(hint);
		context.logger.warn(`'${context.getNode().name}': ${hint}`);
	};
}

export const REMOVED_HINT =
	'A reorganization took back reported events: its items came again with removed';

/** Warns that the saved state can no longer be used. The place says where the trigger continues. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	place: string,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from ${place}`,
	);
}
