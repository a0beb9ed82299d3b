import {
	catching,
	evmTransactionParser,
	InvalidValue,
	isRecord,
	itemParser,
	parseUniqueJson,
	parseStarkInvoke,
	parseTransfer,
	parseUnsignedWitness,
	type Parse,
} from '../../../nodes/core';
import type { KeyKind } from './fields';
import type { SignedKinds, SignedRequest } from './request';

/** The kinds of prepared data. Each has the name of the resource that signs it. */
export type PreparedKind =
	| 'transaction'
	| 'witnessTransaction'
	| 'tonTransfer'
	| 'starkTransaction';

/** The output of an operation that prepares a transaction, in any family. Its kind decides which key signs it. */
export type PreparedRequest = SignedRequest<PreparedKind>;

interface PreparedForm<Given> {
	/** A description of the prepared data for error texts. */
	readonly words: string;
	/** The operation that signs this kind alone. */
	readonly operation: string;
	/** The family of chains whose key signs the data. */
	readonly keyKind: KeyKind;
	/** The prepared output has one of these members; the output of other families has none of them. */
	readonly members: readonly string[];
	readonly parse: Parse<Given>;
	/** How to read the transaction's number, or null if the chain does not number transactions. */
	readonly number: Numbered<Given> | null;
}

/** The number of a transaction among those of its account: its nonce or seqno. */
interface Numbered<Given> {
	get(given: Given): bigint;
	/** Returns the same transaction with another number. */
	replace(given: Given, number: bigint): Given;
}

/** For each kind: how its prepared data is recognized, parsed and numbered. */
export const PREPARED: {
	readonly [Kind in PreparedKind]: PreparedForm<SignedKinds[Kind]>;
} = {
	witnessTransaction: {
		words: 'a TRON transaction',
		operation: 'Witness Transaction: Sign',
		keyKind: 'evm',
		members: ['raw_data_hex', 'txID'],
		parse: parseUnsignedWitness,
		number: null,
	},
	starkTransaction: {
		words: 'a STARK transaction',
		operation: 'STARK Transaction: Sign',
		keyKind: 'stark',
		members: ['sender_address'],
		parse: itemParser('transaction', parseStarkInvoke),
		number: {
			get: ({ nonce }) => nonce,
			replace: (given, nonce) => ({ ...given, nonce }),
		},
	},
	tonTransfer: {
		words: 'a TON transfer',
		operation: 'TON Transfer: Sign',
		keyKind: 'ton',
		members: ['seqno'],
		parse: itemParser('transfer', parseTransfer),
		number: {
			get: ({ seqno }) => BigInt(seqno),
			replace: (given, number) => ({ ...given, seqno: Number(number) }),
		},
	},
	transaction: {
		words: 'an EVM transaction',
		operation: 'Transaction: Sign',
		keyKind: 'evm',
		members: ['gas'],
		parse: evmTransactionParser('Prepared'),
		number: {
			get: ({ transaction }) => transaction.nonce,
			replace: (given, nonce) => ({
				...given,
				transaction: { ...given.transaction, nonce },
				// The bytes and the hash are removed, because they belong to the transaction with the previous nonce.
				unsigned: undefined,
				signingHash: undefined,
			}),
		},
	},
};

const KINDS = Object.keys(PREPARED) as PreparedKind[];

/** Parses prepared output, alone or in its item. The output is checked as strictly as by the resource that signs its kind. */
export const parsePrepared: Parse<PreparedRequest> = (raw) => {
	const given = parseUniqueJson(raw);
	const kind = findPreparedKind(given);
	if (!kind)
		throw new InvalidValue(
			'the output of Prepare or Build: an item with its transaction or its transfer',
		);
	return { kind, given: PREPARED[kind].parse(given) } as PreparedRequest;
};

/** Returns null if the chain numbers no transactions. */
export function getNumber<Kind extends PreparedKind>(request: SignedRequest<Kind>): bigint | null {
	return PREPARED[request.kind].number?.get(request.given) ?? null;
}

/** Returns the same transaction with another number. */
export function withNumber<Kind extends PreparedKind>(
	request: SignedRequest<Kind>,
	number: bigint | null,
): SignedRequest<Kind> {
	const { number: numbered } = PREPARED[request.kind];
	if (!numbered || number === null || number === numbered.get(request.given)) return request;
	return { ...request, given: numbered.replace(request.given, number) };
}

/** Wraps a parser of this kind. A value of another kind is refused with the name of the operation that signs it. */
export function preparedParser<T>(kind: PreparedKind, parse: Parse<T>): Parse<T> {
	return (given) => {
		const value = catching(InvalidValue, () => parse(given));
		if (!(value instanceof InvalidValue)) return value;
		const other = catching(InvalidValue, () => findPreparedKind(parseUniqueJson(given)));
		if (other === undefined || other instanceof InvalidValue || other === kind) throw value;
		throw new InvalidValue(
			`${PREPARED[kind].words}, but this is ${PREPARED[other].words}`,
			`Choose the operation ${PREPARED[other].operation} for it.`,
		);
	};
}

/** Finds the family of prepared output, alone or in its item. */
function findPreparedKind(given: unknown): PreparedKind | undefined {
	return findKind(given) ?? findKind(getInner(given));
}

/** Gets the prepared output from an item that contains it as an object or as JSON text. */
function getInner(given: unknown): unknown {
	if (!isRecord(given)) return undefined;
	const inner = given.transfer ?? given.transaction;
	const value = catching(InvalidValue, () => parseUniqueJson(inner));
	return value instanceof InvalidValue ? undefined : value;
}

function findKind(value: unknown): PreparedKind | undefined {
	if (!isRecord(value)) return undefined;
	return KINDS.find((kind) => PREPARED[kind].members.some((name) => Object.hasOwn(value, name)));
}
