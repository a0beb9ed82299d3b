import type { RpcReader } from '../../chain/reader';
import { chooseGas } from '../prepare/gas';
import type { Intent } from '../prepare/intent';
import type { ParsedTransaction } from '../transactions/parse';
import type { UnsignedTransaction } from '../transactions/unsigned';

/** A transaction of a sweep, in the form in which the signer takes it. */
export interface UnsignedEvm {
	readonly kind: 'transaction';
	readonly given: ParsedTransaction;
}

export function buildUnsigned({ from, ...transaction }: UnsignedTransaction): UnsignedEvm {
	const given = { transaction, from, unsigned: undefined, signingHash: undefined };
	return { kind: 'transaction', given };
}

/** By how many percent more gas is bought than estimated. Coins that are not used stay on the address for its next fee. */
const BUFFER_PERCENT = 10;

/** Chooses the gas, and reads what the account has that pays for it. */
export async function buySweptGas(reader: RpcReader, from: string, intent: Intent) {
	return await chooseGas(reader, from, intent, { gas: undefined, gasBuffer: BUFFER_PERCENT });
}
