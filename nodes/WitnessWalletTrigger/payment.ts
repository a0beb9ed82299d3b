import { triggerEvent } from '../core/trigger/triggerEvent';
import { createCoinSearch } from '../core/witness/coinPayments';
import type { WitnessView } from '../core/witness/follow';
import { direction, minAmount, paidAddresses, type WitnessSource } from './watchedFields';

const fields = [paidAddresses, direction, minAmount] as const;

export const payment = triggerEvent<typeof fields, WitnessSource, WitnessView>({
	name: 'Payment',
	action: 'On payment in coins (TRX, deposit)',
	description: 'When coins reach or leave these addresses, by a transfer or inside a contract',
	fields,
	getChoices: (p) => ['payment', p.addresses, p.direction, String(p.minAmount)],
	createView: (p) => ({ findItems: createCoinSearch(p) }),
});
