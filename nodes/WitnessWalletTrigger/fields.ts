import type { Params } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { minAmountExcept } from '../fields/minAmount';
import { maxBlocksPerPoll, startAt } from '../fields/pollFields';
import { events } from './events';
import { value } from './value';

/** For payments in coins, a field sets the minimum. */
const minAmount = minAmountExcept('contractEvent', 'payment', 'value');

export const options = restOptions(maxBlocksPerPoll, minAmount, startAt);

export const [event, ...ownFields] = eventFields({ ...events, value }, 'payment');

export const fields = [authentication, event, ...ownFields, options];

/** What the user set, and the defaults for the rest. */
export function withDefaults({ options: set }: Params<readonly [typeof options]>) {
	return {
		maxBlocksPerPoll: set.maxBlocksPerPoll ?? maxBlocksPerPoll.default,
		minAmount: set.minAmount,
		startAt: set.startAt,
	};
}
