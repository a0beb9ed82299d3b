import type { Field } from '../core/operation/field';
import { isBlank } from '../core/values/parse';
import { parseWholeAmount } from '../core/values/units';

/** The option that sets the smallest amount, for every event or operation with token transfers. */
export const minAmount = {
	displayName: 'Min Amount',
	name: 'minAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0.5',
	description:
		'Only transfers of this amount or more, in tokens or coins. Tokens whose decimals are unknown are left out.',
	parse: (given: unknown) => (isBlank(given) ? undefined : parseWholeAmount(given)),
} as const satisfies Field;

/** The option Min Amount for a trigger, hidden for the given events, which have no amount or have a field for it. */
export function minAmountExcept(...events: readonly string[]) {
	return { ...minAmount, hide: { '/event': [...events] } } as const satisfies Field;
}
