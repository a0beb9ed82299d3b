import type { LeastAmount } from '../core/chain/payment';
import type { RestReader } from '../core/chain/reader';
import { raise } from '../core/errors/raise';
import type { Field } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { createParameterParser, type ParameterSource } from '../core/operation/parameters';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import type { FollowedAccount } from '../core/ton/accountNews';
import { formatTonAddresses, parseTonAccount, type TonAccount } from '../core/ton/address';
import { followCoins, followJettons } from '../core/ton/paymentEvents';
import { parseCoins } from '../core/ton/payments';
import type { PollEvent } from '../core/trigger/poll';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { listParser } from '../core/values/json';
import { isBlank, type Parse, InvalidValue } from '../core/values/parse';
import { minAmountExcept } from '../fields/minAmount';
import { startAtTime } from '../fields/pollFields';
import { direction as anyDirection, jettons as jettonList } from '../fields/tonTransferFields';
import { value } from './value';

/** The reader of the service, and the smallest amount of jettons that starts the workflow. */
export interface TonSource {
	readonly reader: RestReader;
	/** Smaller payments in jettons are left out. */
	readonly least: LeastAmount;
}

/** The accounts to watch. They are a promise if each poll must ask for the addresses of the jetton wallets. */
type WatchedAccounts = readonly FollowedAccount[] | Promise<readonly FollowedAccount[]>;

/**
 * Creates a parser of a list of accounts. Each account comes once, even if its address is written in several forms.
 */
function accountsParser(wanted: string): Parse<readonly TonAccount[]> {
	const parse = listParser(parseTonAccount);
	return (given) => {
		const accounts = new Map(parse(given).map((one) => [formatTonAddresses(one).raw, one]));
		return accounts.size > 0 ? [...accounts.values()] : raise(new InvalidValue(wanted));
	};
}

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	description: 'The accounts to watch: comma-separated, or an array',
	parse: accountsParser('at least one address'),
} as const satisfies Field;

const minAmount = {
	displayName: 'Min Amount',
	name: 'minAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0.5',
	description: 'Only payments of this amount or more, in coins',
	hint: 'Empty for any amount, even the tiny payment in coins that comes with each payment in jettons',
	parse: (given: unknown) => (isBlank(given) ? 0n : parseCoins(given)),
} as const satisfies Field;

/** Unlike the field of the node, the trigger's field selects incoming payments by default. */
const direction = { ...anyDirection, default: 'in' } as const satisfies Field;

const jettons = {
	...jettonList,
	required: true,
	hint: 'Only the address identifies a jetton: anybody can use the name of another jetton',
	parse: accountsParser("at least one address of a jetton's master contract"),
} as const satisfies Field;

function getNames(accounts: readonly TonAccount[]): string[] {
	return accounts.map((one) => formatTonAddresses(one).raw);
}

const payment = triggerEvent({
	name: 'Payment',
	action: 'On payment in coins (invoice, comment)',
	description:
		'Starts the workflow when coins arrive at an account or leave it. Each output item has the comment of the payment.',
	fields: [addresses, direction, minAmount],
	getChoices: (p) => ['payment', getNames(p.addresses), p.direction, String(p.minAmount)],
	createView: (p, { reader }: TonSource): WatchedAccounts => followCoins(reader, p),
});

const jettonPayment = triggerEvent({
	name: 'Jetton Payment',
	action: 'On payment in jettons (USDT, token)',
	description:
		'Starts the workflow when jettons (tokens, such as USDT) arrive at an account or leave it',
	fields: [addresses, jettons, direction],
	getChoices: (p) => ['jettonPayment', getNames(p.addresses), getNames(p.jettons), p.direction],
	createView: async (p, { reader, least }: TonSource) =>
		await followJettons(reader, { ...p, least }),
});

/** The events stand in the order of their names, because n8n lists them in this order. */
export const EVENTS = {
	jettonPayment: {
		...jettonPayment,
		sample: {
			none: 'No payment in these jettons was found',
			check: 'Addresses, Jettons and Direction',
		},
	},
	payment: {
		...payment,
		sample: {
			none: 'No such payment was found',
			check: 'Addresses, Direction and Min Amount',
		},
	},
} as const satisfies Readonly<Record<string, PollEvent<TonSource, WatchedAccounts>>>;

/** The option Min Amount is hidden for payments in coins, which have a field for it, and for watched values. */
export const triggerOptions = restOptions(minAmountExcept('payment', 'value'), startAtTime);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'payment');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** Reads the options that the user set. */
export function parseOptions(source: ParameterSource) {
	return createParameterParser(source, [triggerOptions])(0).options;
}
