import type { IPollFunctions } from 'n8n-workflow';
import type { FollowedChain, Saved } from '../chain/follow';
import { getNodeCredentialType } from '../nodeCredentials';

/**
 * The position of a trigger in n8n's static data, which n8n stores with an execution. A poll may begin while the last one is
 * still going: the first to end replaces what it began from, and the other one gives up.
 */
export function createPollStorage<Position>(
	context: IPollFunctions,
	{ parse, format }: FollowedChain<Position>['storage'],
) {
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data);
	/** Returns false and changes nothing if another poll came first. */
	const replace = (next: Saved<Position>): boolean => {
		if (JSON.stringify(data) !== before) return false;
		Object.assign(data, format(next));
		return true;
	};
	return {
		saved: parse(data),
		replace,
		/** Replaces the position together with the emitted items, as soon as n8n can store them. */
		replaceWith: async (next: Saved<Position>, emitted: readonly unknown[]): Promise<boolean> => {
			if (emitted.length > 0) await checkDatabase(context);
			return replace(next);
		},
	};
}

/** n8n does not say whether it can store an execution. If it finds the credential, its database works. */
async function checkDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(getNodeCredentialType(context));
}
