import type { BlockRange } from '../evm/blocks';
import { isRecord } from '../values/read';

/** How far blooms are believed; what comes later here is learned later, and stays. */
const BLOOM_TRUSTS = ['unseen', 'used', 'mixed', 'incomplete'] as const;

type BloomTrust = (typeof BLOOM_TRUSTS)[number];

/** What was learned of the proofs that no log is missing. Plain JSON: n8n stores it with the position. */
export interface ProofState {
	/**
	 * As long as none was seen that says anything, blank blooms may come from a chain that has none. Once they are used, a
	 * blank one says that there are no logs; mixed with blank ones that say nothing, only the others are believed; if they
	 * leave out logs, none is.
	 */
	blooms: BloomTrust;
	/** Blocks that are proven however old they are by then: an index was late with the first of them. */
	owed: BlockRange;
}

const NO_BLOCKS: BlockRange = { from: 0, to: -1 };

export const createProofState = (): ProofState => ({ blooms: 'unseen', owed: NO_BLOCKS });

/** What of it goes with a position: nothing until something was learned. */
export function getStoredProofs(proofs: ProofState): { readonly proofs?: ProofState } {
	const isNew = proofs.blooms === 'unseen' && proofs.owed.to === NO_BLOCKS.to;
	return isNew ? {} : { proofs: { ...proofs } };
}

/** Goes on with what was kept. Imported workflows may bring anything. */
export function restoreProofs(proofs: ProofState, stored: unknown): void {
	const { blooms, owed } = isRecord(stored) ? stored : {};
	const { from, to } = isRecord(owed) ? owed : {};
	const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to);
	proofs.blooms = BLOOM_TRUSTS.find((one) => one === blooms) ?? 'unseen';
	proofs.owed = isRange ? { from: Number(from), to: Number(to) } : NO_BLOCKS;
}

/** Whatever is below the blocks that are being read is done with. */
export function addUnproven(proofs: ProofState, late: BlockRange, reading: BlockRange): void {
	const { from, to } = proofs.owed;
	const isDone = to < reading.from;
	proofs.owed = isDone ? late : { from: Math.min(from, late.from), to: Math.max(to, late.to) };
}

/** Never less than was learned before. */
export function raiseTrust(proofs: ProofState, belief: BloomTrust): void {
	const isMore = BLOOM_TRUSTS.indexOf(belief) > BLOOM_TRUSTS.indexOf(proofs.blooms);
	if (isMore) proofs.blooms = belief;
}
