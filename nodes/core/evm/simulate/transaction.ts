import { takeTransaction } from '../../chain/item';
import { parseEvmAddress } from '../address';
import { MAX_GAS, MAX_NONCE } from '../transactions/unsigned';
import { parseHexBytes } from '../../values/hex';
import type { JsonObject } from '../../values/json';
import { memberParser, parseKnownObject } from '../../values/knownObject';
import { numberToHex, optionalParser, parseUint256, uint64Parser } from '../../values/numbers';
import { type Parse, InvalidValue } from '../../values/parse';
import { parseWei } from '../../values/units';
import { raise } from '../../errors/raise';

/** The fields of a transaction that determine its effects. Addresses are in lower case. */
export interface SimulatedTransaction {
	readonly from: string;
	/** Undefined if it creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** 0x-hex. */
	readonly data: string;
	readonly gas: bigint | undefined;
	readonly nonce: bigint | undefined;
	readonly chainId: bigint | undefined;
	/** The gas prices of the transaction, as 0x-hex. */
	readonly prices: Readonly<Record<string, string>>;
	readonly accessList: readonly unknown[] | undefined;
}

const PRICE_KEYS = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
const TRANSACTION_KEYS = [
	...['type', 'chainId', 'from', 'to', 'nonce', 'gas', 'value', 'data', 'input', 'accessList'],
	...PRICE_KEYS,
];

const parseMember = memberParser('transaction');

/** Parses the output item of the operation Prepare, or the `transaction` in it. */
export const parseSimulatedTransaction: Parse<SimulatedTransaction> = (raw) => {
	const inner = takeTransaction(raw, 'transaction');
	const given = parseKnownObject(inner, 'transaction', TRANSACTION_KEYS);
	const member = <T>(name: string, parse: Parse<T>) => parseMember(name, given[name], parse);
	const to = member('to', parseReceiver);
	const data = member(given.data === undefined ? 'input' : 'data', parseData);
	if (to === undefined && data === '0x')
		throw new InvalidValue(
			'a transaction with a receiver (to), or with data that deploys a contract',
		);
	return {
		from: member('from', (from) => parseEvmAddress(from).toLowerCase()),
		to,
		value: member('value', optionalParser(parseWei)) ?? 0n,
		data,
		gas: member('gas', optionalParser(uint64Parser(MAX_GAS))),
		nonce: member('nonce', optionalParser(uint64Parser(MAX_NONCE))),
		chainId: member('chainId', optionalParser(parseUint256)),
		prices: parsePrices(given),
		accessList: member('accessList', optionalParser(parseList)),
	};
};

/**
 * The address may be missing or null for a deployment. An empty text is refused, because it comes from an expression that
 * found nothing.
 */
const parseReceiver: Parse<string | undefined> = (given) =>
	given === undefined || given === null ? undefined : parseEvmAddress(given).toLowerCase();

/** Several times what nodes accept. */
const MAX_DATA_CHARS = 1_000_002;

const parseData: Parse<string> = (given) => {
	const data = given === undefined ? '0x' : parseHexBytes(given);
	return data.length <= MAX_DATA_CHARS
		? data.toLowerCase()
		: raise(new InvalidValue('data of at most 500000 bytes'));
};

const parseList: Parse<readonly unknown[]> = (given) =>
	Array.isArray(given) ? (given as unknown[]) : raise(new InvalidValue('a list'));

function parsePrices(given: JsonObject): Record<string, string> {
	const prices = PRICE_KEYS.map((name) => [
		name,
		parseMember(name, given[name], optionalParser(parseWei)),
	]);
	return Object.fromEntries(
		prices.flatMap(([name, wei]) =>
			typeof wei === 'bigint' ? [[String(name), numberToHex(wei)]] : [],
		),
	);
}

/**
 * Formats a call for simulations, without the nonce, because the account's earlier pending transactions are not
 * simulated.
 */
export function formatCall({
	from,
	to,
	value,
	data,
	gas,
	prices,
	accessList,
}: SimulatedTransaction): JsonObject {
	return {
		from,
		...(to !== undefined && { to }),
		value: numberToHex(value),
		data,
		...(gas !== undefined && { gas: numberToHex(gas) }),
		...prices,
		...(accessList && { accessList }),
	};
}

/** Sets the nonce for a deployment, because the address of a new contract depends on it. */
export function buildNonceOverride({ from, to, nonce }: SimulatedTransaction): JsonObject {
	if (to !== undefined || nonce === undefined) return {};
	return { [from]: { nonce: numberToHex(nonce) } };
}
