import {
	catching,
	InvalidValue,
	isRecord,
	parseJsonValue,
	parseTransfer,
	type Parse,
} from '../../../nodes/core';
import { parseStarkInvoke } from '../../rules/starkInvoke';
import { evmTransactionParser } from './evmTransaction';
import type { KeyKind } from './fields';
import { itemParser } from './item';
import type { SignedRequest } from './request';
import { parseUnsignedWitness } from './witnessTransaction';

/** What a node has prepared, of any family: what it is tells which key signs it. */
export type PreparedRequest = Extract<
	SignedRequest,
	{ kind: 'transaction' | 'witnessTransaction' | 'tonTransfer' | 'starkTransaction' }
>;

/** The kinds are called like the resources that sign each of them alone. */
export type PreparedKind = PreparedRequest['kind'];

interface PreparedForm {
	/** What it is, in a sentence. */
	readonly words: string;
	/** The operation that signs it alone. */
	readonly operation: string;
	/** The chains of the key that signs it. */
	readonly keyKind: KeyKind;
	/** It has one of these members, and what other families prepare has none of them. */
	readonly members: readonly string[];
	readonly parse: Parse<PreparedRequest['given']>;
}

/** What each family of chains prepares. */
export const PREPARED: Readonly<Record<PreparedKind, PreparedForm>> = {
	witnessTransaction: {
		words: 'a transaction of the witness chain',
		operation: 'Witness Transaction: Sign',
		keyKind: 'evm',
		members: ['raw_data_hex', 'txID'],
		parse: parseUnsignedWitness,
	},
	starkTransaction: {
		words: 'a STARK transaction',
		operation: 'STARK Transaction: Sign',
		keyKind: 'stark',
		members: ['sender_address'],
		parse: itemParser('transaction', parseStarkInvoke),
	},
	tonTransfer: {
		words: 'a TON transfer',
		operation: 'TON Transfer: Sign',
		keyKind: 'ton',
		members: ['seqno'],
		parse: itemParser('transfer', parseTransfer),
	},
	transaction: {
		words: 'an EVM transaction',
		operation: 'Transaction: Sign',
		keyKind: 'evm',
		members: ['gas'],
		parse: evmTransactionParser('Prepared'),
	},
};

const KINDS = Object.keys(PREPARED) as PreparedKind[];

/** Parses what was prepared, by itself or in its item, by the rules of its own family. */
export const parsePrepared: Parse<PreparedRequest> = (raw) => {
	const given = parseJsonValue(raw);
	const kind = findPreparedKind(given);
	if (!kind)
		throw new InvalidValue(
			'what Prepare or Build gives: an item with its transaction or its transfer',
		);
	return { kind, given: PREPARED[kind].parse(given) } as PreparedRequest;
};

/** Parses what this kind is signed from. What another family prepares is refused with the operation that it is for. */
export function preparedParser<T>(kind: PreparedKind, parse: Parse<T>): Parse<T> {
	return (given) => {
		const value = catching(InvalidValue, () => parse(given));
		if (!(value instanceof InvalidValue)) return value;
		const other = catching(InvalidValue, () => findPreparedKind(parseJsonValue(given)));
		if (other === undefined || other instanceof InvalidValue || other === kind) throw value;
		throw new InvalidValue(
			`${PREPARED[kind].words}, and this is ${PREPARED[other].words}`,
			`Choose the operation ${PREPARED[other].operation} for it.`,
		);
	};
}

/** Finds the family that something was prepared for, by itself or in its item. */
function findPreparedKind(given: unknown): PreparedKind | undefined {
	return findKind(given) ?? findKind(getInner(given));
}

/** An item has it under one of these names, as JSON or as its text. */
function getInner(given: unknown): unknown {
	if (!isRecord(given)) return undefined;
	const inner = given.transfer ?? given.transaction;
	const value = catching(InvalidValue, () => parseJsonValue(inner));
	return value instanceof InvalidValue ? undefined : value;
}

function findKind(value: unknown): PreparedKind | undefined {
	if (!isRecord(value)) return undefined;
	return KINDS.find((kind) => PREPARED[kind].members.some((name) => Object.hasOwn(value, name)));
}
