import { catching, InvalidValue, parseJsonValue, type Parse } from '../../../nodes/core';
import { findPreparedKind, type PreparedRequest } from './prepared';

type Kind = PreparedRequest['kind'];

/** What is signed of each family, and the operation that signs it. */
const FAMILIES: Readonly<Record<Kind, { readonly name: string; readonly operation: string }>> = {
	transaction: { name: 'an EVM transaction', operation: 'Transaction: Sign' },
	witnessTransaction: {
		name: 'a transaction of the witness chain',
		operation: 'Witness Transaction: Sign',
	},
	tonTransfer: { name: 'a TON transfer', operation: 'TON Transfer: Sign' },
	starkTransaction: { name: 'a STARK transaction', operation: 'STARK Transaction: Sign' },
};

/** Parses what this family signs. What another family signs is refused with the operation that it is for. */
export function familyParser<T>(kind: Kind, parse: Parse<T>): Parse<T> {
	return (given) => {
		const value = catching(InvalidValue, () => parse(given));
		if (!(value instanceof InvalidValue)) return value;
		const other = catching(InvalidValue, () => findPreparedKind(parseJsonValue(given)));
		if (other === undefined || other instanceof InvalidValue || other === kind) throw value;
		throw new InvalidValue(
			`${FAMILIES[kind].name}, and this is ${FAMILIES[other].name}`,
			`Choose the operation ${FAMILIES[other].operation} for it.`,
		);
	};
}
