import type {
	Holding,
	PayingFamily,
	PreparedSweep,
	RunContext,
	SweptFamily,
} from '../../../nodes/core';
import type { SweepPolicy } from '../../rules/depositRules';
import type { PreparedRequest } from '../core/prepared';
import type { PayRequest } from './family';

/** What a sweep needs on its way. */
export interface Sweeping {
	readonly chain: SweptFamily;
	readonly context: RunContext<PayRequest>;
	readonly family: PayingFamily<PreparedRequest>;
	readonly policy: SweepPolicy;
	/** The account of the key that pays fees. */
	readonly payer: string;
	/** In milliseconds since 1970. */
	readonly end: number;
}

/** An address whose place in the account is known. */
export interface Deposit {
	readonly index: number;
	readonly holding: Holding<PreparedRequest>;
}

/** An address for which something can be signed. */
export interface ReadyDeposit extends Deposit {
	readonly prepared: PreparedSweep<PreparedRequest>;
}

const SECOND_MS = 1000;

export function getEnd(seconds: number): number {
	return Date.now() + seconds * SECOND_MS;
}

export function getSecondsLeft({ end }: Pick<Sweeping, 'end'>): number {
	return Math.max(0, (end - Date.now()) / SECOND_MS);
}
