import type { Params } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import type { PollEvent } from '../core/trigger/poll';
import type { WitnessView } from '../core/witness/follow';
import { minAmountExcept } from '../fields/minAmount';
import { maxBlocksPerPoll, startAt } from '../fields/pollFields';
import { contractEvent } from './contractEvent';
import { payment } from './payment';
import { tokenPayment } from './tokenPayment';
import { value } from './value';
import type { WitnessSource } from './watchedFields';

/** The events stand in the order of their names, because n8n lists them in this order. */
export const EVENTS = {
	contractEvent: {
		...contractEvent,
		sample: {
			none: 'No such event of a contract in the last',
			check: 'Contracts, Event Signature and Where',
		},
	},
	payment: {
		...payment,
		sample: {
			none: 'No payment of these addresses in the last',
			check: 'Addresses, Direction and Min Amount',
		},
	},
	tokenPayment: {
		...tokenPayment,
		sample: {
			none: 'No such transfer of a token in the last',
			check: 'Tokens, Addresses and Direction',
		},
	},
} as const satisfies Readonly<Record<string, PollEvent<WitnessSource, WitnessView>>>;

/**
 * The option Min Amount is hidden for events without amounts, and for payments in coins, which have a field for it.
 */
const minAmount = minAmountExcept('contractEvent', 'payment', 'value');

export const triggerOptions = restOptions(maxBlocksPerPoll, minAmount, startAt);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'payment');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** Gives the options that the user set, and the defaults of all other options. */
export function withDefaults({ options: set }: Params<readonly [typeof triggerOptions]>) {
	return {
		maxBlocksPerPoll: set.maxBlocksPerPoll ?? maxBlocksPerPoll.default,
		minAmount: set.minAmount,
		startAt: set.startAt,
	};
}
