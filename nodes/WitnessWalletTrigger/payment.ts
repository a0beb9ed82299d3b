import { showWhile } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { createCoinSearch, createReceiptSearch } from '../core/witness/coinPayments';
import type { WitnessView } from '../core/witness/follow';
import {
	getKeyChoices,
	getWatchedAccounts,
	watch,
	watchedCount,
	watchedFirst,
	watchedKey,
} from '../fields/accountKeyFields';
import { direction, minAmount, paidAddresses, type WitnessSource } from './watchedFields';

const named = showWhile({ watch: ['addresses'] }, [paidAddresses, direction]);
const fields = [watch, watchedKey, watchedCount, watchedFirst, ...named, minAmount] as const;

export const payment = triggerEvent<typeof fields, WitnessSource, WitnessView>({
	name: 'Payment',
	action: 'On payment in coins (TRX, deposit)',
	description:
		'Starts the workflow when coins reach or leave the watched addresses, by a transfer or through a contract',
	fields,
	getAccounts: getWatchedAccounts,
	getChoices: (p) => [
		'payment',
		...(p.watch === 'accountKey'
			? getKeyChoices(p)
			: [p.addresses ?? [], p.direction ?? direction.default]),
		String(p.minAmount),
	],
	createView: (p, _source, accounts) => ({
		findItems: accounts
			? createReceiptSearch({ accounts, minAmount: p.minAmount })
			: createCoinSearch({
					addresses: p.addresses ?? [],
					direction: p.direction ?? direction.default,
					minAmount: p.minAmount,
				}),
	}),
});
