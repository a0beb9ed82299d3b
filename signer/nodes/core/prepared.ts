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
import { itemParser } from './item';
import type { SignedRequest } from './request';
import { parseUnsignedWitness } from './witnessTransaction';

/** What a node has prepared, of any family: what it is tells which key signs it. */
export type PreparedRequest = Extract<
	SignedRequest,
	{ kind: 'transaction' | 'witnessTransaction' | 'tonTransfer' | 'starkTransaction' }
>;

type Kind = PreparedRequest['kind'];

const PARSERS: Readonly<Record<Kind, Parse<PreparedRequest['given']>>> = {
	transaction: evmTransactionParser('Prepared'),
	witnessTransaction: parseUnsignedWitness,
	tonTransfer: itemParser('transfer', parseTransfer),
	starkTransaction: itemParser('transaction', parseStarkInvoke),
};

/** Parses what was prepared, by itself or in its item, by the rules of its own family. */
export const parsePrepared: Parse<PreparedRequest> = (raw) => {
	const given = parseJsonValue(raw);
	const kind = findPreparedKind(given);
	if (!kind)
		throw new InvalidValue(
			'what Prepare or Build gives: an item with its transaction or its transfer',
		);
	return { kind, given: PARSERS[kind](given) } as PreparedRequest;
};

/** Finds the family that something was prepared for, by itself or in its item. */
export function findPreparedKind(given: unknown): Kind | undefined {
	return findKind(given) ?? findKind(getInner(given));
}

/** An item has it under one of these names, as JSON or as its text. */
function getInner(given: unknown): unknown {
	if (!isRecord(given)) return undefined;
	const inner = given.transfer ?? given.transaction;
	const value = catching(InvalidValue, () => parseJsonValue(inner));
	return value instanceof InvalidValue ? undefined : value;
}

/** Each family has members that no other one has. */
function findKind(value: unknown): Kind | undefined {
	if (!isRecord(value)) return undefined;
	if (Object.hasOwn(value, 'raw_data_hex') || Object.hasOwn(value, 'txID'))
		return 'witnessTransaction';
	if (Object.hasOwn(value, 'sender_address')) return 'starkTransaction';
	if (Object.hasOwn(value, 'seqno')) return 'tonTransfer';
	return Object.hasOwn(value, 'gas') ? 'transaction' : undefined;
}
