import { makeMark, type PaymentMark } from '../../chain/mark';
import type { PatientRestReader } from '../../chain/reader';
import type { PreparedSweep } from '../../chain/sweep';
import type { TokenFacts } from '../../chain/tokens';
import type { WitnessAccount, WrittenAddress } from '../accounts';
import { formatWitnessAddresses } from '../address';
import { isOfEarlierPeriod } from '../mark';
import type { UnsignedWitness } from '../unsigned';

/** The swept asset and its destination. Addresses are written as 40 hex digits, without 0x. */
export interface Sweeping {
	readonly reader: PatientRestReader;
	readonly destination: string;
	/** Null for coins. */
	readonly token: string | null;
	readonly facts: TokenFacts;
}

/** The transaction that moves the whole balance of an account. */
export interface WitnessSweep extends Omit<PreparedSweep<UnsignedWitness>, 'facts'> {
	/** Its amount, in the smallest unit. */
	readonly value: bigint;
}

/** Writes an account in the form of requests. */
export function writeAccount(account: string): WrittenAddress {
	return { address: formatWitnessAddresses(account).hex, visible: false };
}

/**
 * The chain numbers no transactions. In place of a number counts when the address last sent something: two executions that sweep the
 * same within a minute make the same bytes, which the chain takes once, and what comes afterwards is swept by other bytes.
 */
export function formatTurn({ operatedAt }: Pick<WitnessAccount, 'operatedAt'>): string {
	return String(operatedAt);
}

/** Makes the mark that a sweep carries. */
export function makeSweepMark(turn: string): PaymentMark {
	return makeMark('witness', JSON.stringify(['sweep', turn]));
}

/** Whether a transaction must be built again before it is signed, because its minute is over. */
export function isLate({ given }: UnsignedWitness): boolean {
	return isOfEarlierPeriod(given.transaction);
}
