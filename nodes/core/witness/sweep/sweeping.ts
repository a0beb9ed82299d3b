import { makeMark, type PaymentMark } from '../../chain/mark';
import type { PatientRestReader } from '../../chain/reader';
import type { PreparedSweep } from '../../chain/sweep';
import type { TokenFacts } from '../../chain/tokens';
import type { WitnessAccount, WrittenAddress } from '../accounts';
import { formatWitnessAddresses } from '../address';
import { isOfEarlierPeriod } from '../mark';
import type { UnsignedWitness } from '../unsigned';

/** The asset that is swept from addresses, and its destination. Addresses are 40 hex digits, without 0x. */
export interface Sweeping {
	readonly reader: PatientRestReader;
	readonly destination: string;
	/** Null for coins. */
	readonly token: string | null;
	readonly facts: TokenFacts;
}

/** A transaction that moves the whole balance of an account to the destination of a sweep. */
export interface WitnessSweep extends Omit<PreparedSweep<UnsignedWitness>, 'facts'> {
	/** The amount that the transaction moves, in the smallest unit. */
	readonly value: bigint;
}

/** Formats an account for requests. */
export function writeAccount(account: string): WrittenAddress {
	return { address: formatWitnessAddresses(account).hex, visible: false };
}

/**
 * Identifies a sweep of an address. The chain does not number transactions, so the time of the address's last
 * transaction is used. Two executions that sweep the same within a minute build the same bytes, which the chain
 * carries out once. A later sweep has other bytes.
 */
export function formatTurn({ operatedAt }: Pick<WitnessAccount, 'operatedAt'>): string {
	return String(operatedAt);
}

/** Makes the payment mark, a number that identifies a sweep on the chain. */
export function makeSweepMark(turn: string): PaymentMark {
	return makeMark('witness', JSON.stringify(['sweep', turn]));
}

/** Whether a transaction must be built again before signing, because the minute for which it was built has ended. */
export function isLate({ given }: UnsignedWitness): boolean {
	return isOfEarlierPeriod(given.transaction);
}
