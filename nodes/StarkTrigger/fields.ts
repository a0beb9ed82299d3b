import type { Field, Params } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/operation/transportOptions';
import { methodPrefix } from '../core/operation/methodPrefix';
import { minAmountExcept } from '../fields/minAmount';
import { startAt } from '../fields/pollFields';
import { path } from '../fields/starkFields';
import { EVENTS } from './events';
import { value } from './value';

const until = {
	displayName: 'Until',
	name: 'until',
	type: 'options',
	default: 'acceptedOnL2',
	description: 'The status that a block must have before its events start the workflow',
	options: [
		{
			name: 'Accepted on L1',
			value: 'acceptedOnL1',
			description:
				'Proven on the chain below, which takes hours. After that, the block is irreversible.',
		},
		{
			name: 'Accepted on L2',
			value: 'acceptedOnL2',
			description: 'In a block of this chain. Such a block is replaced only in an emergency.',
		},
	],
} as const satisfies Field;

const minAmount = minAmountExcept('event', 'value');

export const triggerOptions = rpcOptions(minAmount, until, path, methodPrefix, startAt);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'event');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** The options that the user set, and the defaults of the others. */
export function withDefaults({ options: set }: Params<readonly [typeof triggerOptions]>) {
	return {
		minAmount: set.minAmount,
		startAt: set.startAt,
		until: set.until ?? until.default,
		path: set.path ?? path.default,
		methodPrefix: set.methodPrefix ?? methodPrefix.default,
	};
}
