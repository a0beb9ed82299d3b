import {
	isRecord,
	itemParser,
	parseBuiltTransaction,
	refuseOtherFields,
	type Parse,
	InvalidValue,
} from '../../../nodes/core';
import type { ParsedWitnessTransaction } from './request';

/** Parses a transaction of the witness chain as a node built it, whose bytes must say the same as its JSON. */
export const parseUnsignedWitness: Parse<ParsedWitnessTransaction> = itemParser(
	'transaction',
	(given) => {
		if (!isRecord(given)) throw new InvalidValue('a transaction as a JSON object');
		const { visible = false, txID, raw_data, raw_data_hex, signature = [] } = given;
		if (!Array.isArray(signature) || signature.length > 0) {
			throw new InvalidValue('a transaction that is not signed yet');
		}
		const shape = { visible, txID, raw_data, raw_data_hex };
		refuseOtherFields(given, Object.keys(shape));
		return { shape, transaction: parseBuiltTransaction(shape) };
	},
);
