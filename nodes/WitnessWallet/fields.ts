import type { Field } from '../core/operation/field';
import {
	parseWitnessAccount,
	witnessAddressParser,
	formatWitnessAddresses,
} from '../core/witness/address';
import { SUN_DECIMALS, unitsParser } from '../core/values/units';
import { trimText, type Parse, parseField, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';
import { TOKEN_NAME } from '../fields/tokenNames';

/** The field has no parser, because the form of the address depends on the field `visible`. It is parsed later. */
export const ownerAddress = {
	displayName: 'From',
	name: 'ownerAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account that will sign the transaction',
} as const satisfies Field;

/** The value is always sent, because the server's own default is false, which its documentation does not say. */
export const visible = {
	displayName: 'Base58 Addresses',
	name: 'visible',
	type: 'boolean',
	default: true,
	description: 'Whether addresses are written in base58 (T…) instead of hex (41…)',
} as const satisfies Field;

/** This sentence ends the description of each operation that builds a transaction. */
export const UNSIGNED_TEXT =
	'Nothing happens until the transaction is signed and, within a minute, sent.';

const MAX_INT64 = 2n ** 63n - 1n;

/** Parses an amount in whole coins, which may be 0, to sun, the smallest unit. */
const parseCoinsOrNone: Parse<bigint> = (given) => {
	const sun = unitsParser(SUN_DECIMALS)(given);
	return sun <= MAX_INT64
		? sun
		: raise(new InvalidValue('an amount of at most 9223372036854.775807 coins'));
};

const parseCoins: Parse<bigint> = (given) => {
	const sun = parseCoinsOrNone(given);
	return sun > 0n ? sun : raise(new InvalidValue('an amount above 0, such as 1.5'));
};

export function amountField<const Description extends string>(description: Description) {
	return {
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 1.5',
		description,
		hint: 'The amount in coins, such as 1.5',
		parse: parseCoins,
	} as const satisfies Field;
}

export const coinsAlong = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 1.5',
	description: 'How many coins to send with the call. Only payable functions accept coins.',
	hint: 'The amount in coins, such as 1.5',
	parse: parseCoinsOrNone,
} as const satisfies Field;

/** The field has no parser, because the form of the address depends on the field `visible`. It is parsed later. */
export const tokenContract = {
	displayName: 'Token',
	name: TOKEN_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description: 'The address of the TRC-20 token',
} as const satisfies Field;

/** Makes the field for the resource that frozen coins give: bandwidth or energy. */
export function resourceField<const Description extends string>(description: Description) {
	return {
		displayName: 'For Resource',
		name: 'forResource',
		type: 'options',
		default: 'bandwidth',
		noDataExpression: true,
		description,
		options: [
			{
				name: 'Bandwidth',
				value: 'bandwidth',
				description: 'Bandwidth pays for the size of transactions',
			},
			{ name: 'Energy', value: 'energy', description: 'Energy pays for calls of contracts' },
		],
	} as const satisfies Field;
}

export const feeLimit = {
	displayName: 'Fee Limit',
	name: 'feeLimit',
	type: 'string',
	default: '100',
	placeholder: 'e.g. 100',
	description:
		'The most TRX that the call may burn for energy (the cost of running a contract). A call that needs more fails, and the energy that it used is still charged.',
	hint: 'The limit in coins; decimals are allowed',
	parse: parseCoins,
} as const satisfies Field;

export const transactionId = {
	displayName: 'Transaction ID',
	name: 'transactionId',
	type: 'string',
	required: true,
	default: '={{ $json.transactionId }}',
	placeholder: 'e.g. 7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc',
	description: 'The ID (txID) of the transaction',
	parse: (given: unknown) => {
		const id = trimText(given).toLowerCase();
		return /^[0-9a-f]{64}$/.test(id)
			? id
			: raise(new InvalidValue('the ID of a transaction: 64 hex digits'));
	},
} as const satisfies Field;

/** Creates a parser of addresses in base58 or in hex, as `visible` sets. It gives hex with 41 at the beginning. */
export function addressParser(isVisible: boolean): Parse<string> {
	const parse = witnessAddressParser(isVisible);
	return (given) => formatWitnessAddresses(parseWitnessAccount(parse(given))).hex;
}

export function parseAddress(label: string, given: unknown, isVisible: boolean): string {
	return parseField(label, given, addressParser(isVisible));
}
