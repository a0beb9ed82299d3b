import { itemParser, refuseOtherFields } from '../chain/item';
import { InvalidValue, isRecord, type Parse } from '../values/parse';
import { parseBuiltTransaction } from './rawData';
import type { WitnessTransaction } from './transaction';

/** An unsigned transaction, decoded from its bytes. Its JSON matches the bytes. */
export interface ParsedTransaction {
	readonly shape: Readonly<Record<string, unknown>>;
	readonly transaction: WitnessTransaction;
}

/** An unsigned transaction in the form that the signer expects. */
export interface UnsignedWitness {
	readonly kind: 'witnessTransaction';
	readonly given: ParsedTransaction;
}

/** Takes what a node built. */
export function takeBuilt(transaction: object): UnsignedWitness {
	return { kind: 'witnessTransaction', given: parseUnsigned(transaction) };
}

/** Parses an unsigned transaction of TRON as a node built it. Its bytes must match its JSON. */
export const parseUnsigned: Parse<ParsedTransaction> = itemParser('transaction', (given) => {
	if (!isRecord(given)) throw new InvalidValue('a transaction as a JSON object');
	const { visible = false, txID, raw_data, raw_data_hex, signature = [] } = given;
	if (!Array.isArray(signature) || signature.length > 0) {
		throw new InvalidValue('a transaction that is not signed yet');
	}
	const shape = { visible, txID, raw_data, raw_data_hex };
	refuseOtherFields(given, Object.keys(shape));
	return { shape, transaction: parseBuiltTransaction(shape) };
});
