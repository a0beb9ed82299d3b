import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Says what is no failure. A trigger has no place for it but the log of n8n, where the same words come once. */
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
