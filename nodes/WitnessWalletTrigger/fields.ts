import type { Params } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { minAmountExcept } from '../fields/minAmount';
import { maxBlocksPerPoll, startAt } from '../fields/pollFields';
import { EVENTS } from './events';
import { value } from './value';

/** For payments in coins, a field sets the minimum. */
const minAmount = minAmountExcept('contractEvent', 'payment', 'value');

export const triggerOptions = restOptions(maxBlocksPerPoll, minAmount, startAt);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'payment');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** What the user set, and the defaults for the rest. */
export function withDefaults({ options: set }: Params<readonly [typeof triggerOptions]>) {
	return {
		maxBlocksPerPoll: set.maxBlocksPerPoll ?? maxBlocksPerPoll.default,
		minAmount: set.minAmount,
		startAt: set.startAt,
	};
}
