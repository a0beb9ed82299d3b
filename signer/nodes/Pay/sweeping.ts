import type {
	Holding,
	PayingFamily,
	PreparedSweep,
	RunContext,
	SweptFamily,
} from '../../../nodes/core';
import type { SweepPolicy } from '../../rules/depositRules';
import type { SweptRequest } from '../core/depositsSigner';
import type { PreparedRequest } from '../core/prepared';
import type { PayRequest } from './family';

/** The data that all steps of a sweep need. */
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

/** Asks the key of a deposit address to check or sign a request. */
export async function askDeposit(
	{ context }: Pick<Sweeping, 'context'>,
	kind: 'check' | 'sign',
	{ index }: Pick<Deposit, 'index'>,
	given: SweptRequest,
): Promise<Readonly<Record<string, unknown>>> {
	const answer = await context.call({ deposits: { kind, index, given } });
	return answer as Readonly<Record<string, unknown>>;
}

/** The transfer that the address itself sends. */
export function getTransfer(
	{ prepared }: ReadyDeposit,
	unsigned = prepared.unsigned,
): SweptRequest {
	return unsigned as SweptRequest;
}

/** An address whose balance is known. */
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

export function getWords(failure: unknown): string {
	return failure instanceof Error ? failure.message : String(failure);
}
