import type { PollEvent } from '../core/trigger/poll';
import type { WitnessView } from '../core/witness/follow';
import { contractEvent } from './contractEvent';
import { payment } from './payment';
import { tokenPayment } from './tokenPayment';
import type { WitnessSource } from './watchedFields';

/** They are in the order of their names, in which n8n lists them. */
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
