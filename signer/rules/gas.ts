import type { UnsignedTransaction } from '../../nodes/core';
import { refuse } from './refusal';

const TRANSACTION_GAS = 21_000;
/** How many units of data ("tokens" in EIP-7623) a byte other than zero counts. */
const NON_ZERO_TOKENS = 4;
const TOKEN_GAS = 4;
/** The lowest gas for each token, however little is executed (EIP-7623). */
const TOKEN_FLOOR_GAS = 10;
const CREATION_GAS = 32_000;
/** The gas for each 32 bytes of the code that creates a contract (EIP-3860). */
const WORD_GAS = 2;
const WORD_BYTES = 32;
/** The entries of an access list cost them (EIP-2930). */
const ADDRESS_GAS = 2400;
const STORAGE_KEY_GAS = 1900;

/** Refuses a transaction whose gas does not even cover the cost before execution, because it cannot be mined. */
export function checkGas({ gas, to, data, accessList }: UnsignedTransaction): void {
	const least = countLeastGas({ to, data, accessList });
	if (gas >= BigInt(least)) return;
	refuse(
		`The transaction has ${gas} gas, and needs at least ${least}`,
		'Its data and its access list cost that much before anything is executed: it would not be mined. Let Prepare estimate its gas, or give it more: unused gas costs nothing.',
	);
}

type Bytes = Pick<UnsignedTransaction, 'to' | 'data' | 'accessList'>;

function countLeastGas({ to, data, accessList = [] }: Bytes): number {
	const bytes = Buffer.from(data.slice(2), 'hex');
	const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
	const tokens = zeros + NON_ZERO_TOKENS * (bytes.length - zeros);
	const creation =
		to === undefined ? CREATION_GAS + WORD_GAS * Math.ceil(bytes.length / WORD_BYTES) : 0;
	const listed = accessList.reduce(
		(sum, { storageKeys }) => sum + ADDRESS_GAS + STORAGE_KEY_GAS * storageKeys.length,
		0,
	);
	const executed = TOKEN_GAS * tokens + creation + listed;
	return TRANSACTION_GAS + Math.max(executed, TOKEN_FLOOR_GAS * tokens);
}
