import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Reports a message that is not an error. A trigger can only write to n8n's log. The same message is logged once. */
export function createHintLog(context: ITriggerFunctions | IPollFunctions): (hint: string) => void {
	const said = new Set<string>();
	return (hint) => {
		if (said.has(hint)) return;
		said.add(hint);
		context.logger.warn(`'${context.getNode().name}': ${hint}`);
	};
}

export const REMOVED_HINT =
	"A reorganization took back reported events: their items came again with the field 'removed'";

/** Warns that the saved position belongs to another chain. `place` says in words where the trigger continues. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	place: string,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from ${place}`,
	);
}
