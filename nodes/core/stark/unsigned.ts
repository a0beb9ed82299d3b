import { raise } from '../errors/raise';
import { memberParser, parseKnownObject } from '../values/knownObject';
import { InvalidValue, type Parse } from '../values/parse';
import { parseStarkAddress } from './address';
import { encodeFelt, tryParseFelt } from './felts';

/** The most of a resource that a transaction may use, and the highest price of one unit. */
interface ResourceBound {
	readonly amount: bigint;
	readonly price: bigint;
}

const RESOURCE_NAMES = ['l1_gas', 'l2_gas', 'l1_data_gas'] as const;

type ResourceName = (typeof RESOURCE_NAMES)[number];

/** An unsigned transaction of version 3 that calls contracts. It contains everything that will be signed. */
export interface StarkInvoke {
	readonly sender: bigint;
	readonly chainId: bigint;
	readonly nonce: bigint;
	readonly tip: bigint;
	readonly calldata: readonly bigint[];
	readonly bounds: Readonly<Record<ResourceName, ResourceBound>>;
}

const INVOKE_KEYS = [
	'type',
	'version',
	'sender_address',
	'calldata',
	'nonce',
	'resource_bounds',
	'tip',
	'paymaster_data',
	'account_deployment_data',
	'nonce_data_availability_mode',
	'fee_data_availability_mode',
	'chainId',
] as const;

export const INVOKE_VERSION = 3n;
const BOUND_KEYS = ['max_amount', 'max_price_per_unit'] as const;
const [AMOUNT_BITS, PRICE_BITS] = [64n, 128n];
/** Nodes accept at most this many felts in one transaction. */
const MAX_CALLDATA_FELTS = 5000;

const parseField = memberParser('transaction');

/** Parses a transaction that Prepare has made. An unknown key is refused, because it would not be signed. */
export const parseStarkInvoke: Parse<StarkInvoke> = (given) => {
	const json = parseKnownObject(given, 'transaction', INVOKE_KEYS);
	const field = <T>(name: string, parse: Parse<T>) => parseField(name, json[name], parse);
	field('type', wordParser('INVOKE'));
	field('version', parseVersion);
	for (const name of ['paymaster_data', 'account_deployment_data']) field(name, parseEmptyList);
	for (const name of ['nonce_data_availability_mode', 'fee_data_availability_mode'])
		field(name, wordParser('L1'));
	return {
		sender: field('sender_address', parseStarkAddress),
		chainId: field('chainId', parseFelt),
		nonce: field('nonce', parseFelt),
		tip: field('tip', uintParser(AMOUNT_BITS)),
		calldata: field('calldata', parseCalldata),
		bounds: field('resource_bounds', parseBounds),
	};
};

function wordParser(word: string): Parse<string> {
	return (given) => (given === word ? word : raise(new InvalidValue(word)));
}

/** Parses the version of a transaction. A version of 2^128 and more is only for estimates, and gives another hash. */
const parseVersion: Parse<bigint> = (given) =>
	tryParseFelt(given) === INVOKE_VERSION
		? INVOKE_VERSION
		: raise(new InvalidValue(encodeFelt(INVOKE_VERSION)));

const parseEmptyList: Parse<void> = (given) => {
	if (!Array.isArray(given) || given.length > 0)
		throw new InvalidValue('an empty list: transactions with data in it cannot be signed');
};

const parseFelt: Parse<bigint> = (given) =>
	tryParseFelt(given) ??
	raise(
		new InvalidValue(
			'a felt (the number type of STARK rollups) as 0x-hex, up to about 3.6 * 10^75',
		),
	);

function uintParser(bits: bigint): Parse<bigint> {
	return (given) => {
		const value = tryParseFelt(given);
		return value !== undefined && value < 1n << bits
			? value
			: raise(new InvalidValue(`a number below 2^${bits} as 0x-hex`));
	};
}

const parseCalldata: Parse<readonly bigint[]> = (given) =>
	Array.isArray(given) && given.length <= MAX_CALLDATA_FELTS
		? given.map((felt: unknown, at) => parseField(`calldata[${at}]`, felt, parseFelt))
		: raise(
				new InvalidValue(
					`a list of at most ${MAX_CALLDATA_FELTS} felts (numbers of STARK rollups)`,
				),
			);

const parseBounds: Parse<StarkInvoke['bounds']> = (given) => {
	const json = parseKnownObject(given, 'list of bounds', RESOURCE_NAMES);
	const bound = (name: ResourceName) => parseField(name, json[name], parseBound);
	return {
		l1_gas: bound('l1_gas'),
		l2_gas: bound('l2_gas'),
		l1_data_gas: bound('l1_data_gas'),
	};
};

const parseBound: Parse<ResourceBound> = (given) => {
	const json = parseKnownObject(given, 'bound', BOUND_KEYS);
	return {
		amount: parseField('max_amount', json.max_amount, uintParser(AMOUNT_BITS)),
		price: parseField('max_price_per_unit', json.max_price_per_unit, uintParser(PRICE_BITS)),
	};
};

/** Formats resource bounds as nodes expect them. */
export function formatBounds(bounds: StarkInvoke['bounds']) {
	return Object.fromEntries(
		RESOURCE_NAMES.map((name) => {
			const { amount, price } = bounds[name];
			const bound = { max_amount: encodeFelt(amount), max_price_per_unit: encodeFelt(price) };
			return [name, bound] as const;
		}),
	);
}
