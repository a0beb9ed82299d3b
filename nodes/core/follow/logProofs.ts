import type { BlockRange } from '../chain/blocks';
import { isRecord } from '../values/read';

/** How far blooms are believed; what comes later here is learned later, and stays. */
const BELIEFS = ['unseen', 'used', 'mixed', 'incomplete'] as const;

type Belief = (typeof BELIEFS)[number];

/** What was learned of the proofs that no log is missing. Plain JSON: n8n stores it with the position. */
export interface LogProofs {
	/**
	 * As long as none was seen that says anything, blank blooms may come from a chain that has none. Once they are used, a
	 * blank one says that there are no logs; mixed with blank ones that say nothing, only the others are believed; if they
	 * leave out logs, none is.
	 */
	blooms: Belief;
	/** Blocks that are proven however old they are by then: an index was late with the first of them. */
	owed: BlockRange;
}

const NONE: BlockRange = { from: 0, to: -1 };

export const logProofs = (): LogProofs => ({ blooms: 'unseen', owed: NONE });

/** What of it goes with a position: nothing until something was learned. */
export function kept(proofs: LogProofs): { readonly proofs?: LogProofs } {
	const isNew = proofs.blooms === 'unseen' && proofs.owed.to === NONE.to;
	return isNew ? {} : { proofs: { ...proofs } };
}

/** Goes on with what was kept. Imported workflows may bring anything. */
export function restore(proofs: LogProofs, stored: unknown): void {
	const { blooms, owed } = isRecord(stored) ? stored : {};
	const { from, to } = isRecord(owed) ? owed : {};
	const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to);
	proofs.blooms = BELIEFS.find((one) => one === blooms) ?? 'unseen';
	proofs.owed = isRange ? { from: Number(from), to: Number(to) } : NONE;
}

/** Whatever is below the blocks that are being read is done with. */
export function owe(proofs: LogProofs, late: BlockRange, reading: BlockRange): void {
	const { from, to } = proofs.owed;
	const isDone = to < reading.from;
	proofs.owed = isDone ? late : { from: Math.min(from, late.from), to: Math.max(to, late.to) };
}

/** Never less than was learned before. */
export function learned(proofs: LogProofs, belief: Belief): void {
	const isMore = BELIEFS.indexOf(belief) > BELIEFS.indexOf(proofs.blooms);
	if (isMore) proofs.blooms = belief;
}
