import type { BlockRange } from '../../chain/blocks';
import { isRecord } from '../../values/parse';
import { sharedKey } from '../../net/pacing/shared';

/** How far blooms are trusted. A node moves down this list as its blooms show more, and never back up. */
const BLOOM_TRUSTS = ['unseen', 'used', 'mixed', 'incomplete'] as const;

type BloomTrust = (typeof BLOOM_TRUSTS)[number];

/** How far the blooms of a chain prove that no log is missing. n8n stores this as JSON with the cursor. */
interface ProofState {
	/**
	 * `unseen`: all blooms were blank so far, as on a chain that has none. `used`: a blank bloom says that there are no
	 * logs. `mixed`: some blooms are blank although the block has logs, so only the others are used. `incomplete`: blooms
	 * leave out logs, so none is used.
	 */
	blooms: BloomTrust;
	/** These blocks are proven at any age, because an index was late with the first of them. */
	unproven: BlockRange;
}

const NO_BLOCKS: BlockRange = { from: 0, to: -1 };

export const PROOF_STATE = sharedKey(
	'evm.proofState',
	(): ProofState => ({ blooms: 'unseen', unproven: NO_BLOCKS }),
);

/** The part that is stored with a cursor. Nothing is stored until something was found out. */
export function getStoredProofs(proofs: ProofState): { readonly proofs?: ProofState } {
	const isNew = proofs.blooms === 'unseen' && proofs.unproven.to === NO_BLOCKS.to;
	return isNew ? {} : { proofs: { ...proofs } };
}

/** Continues with the stored state. Imported workflows may contain anything. */
export function restoreProofs(proofs: ProofState, stored: unknown): void {
	const { blooms, unproven } = isRecord(stored) ? stored : {};
	const { from, to } = isRecord(unproven) ? unproven : {};
	const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to);
	proofs.blooms = BLOOM_TRUSTS.find((one) => one === blooms) ?? 'unseen';
	proofs.unproven = isRange ? { from: Number(from), to: Number(to) } : NO_BLOCKS;
}

/** Adds blocks whose logs are not proven yet, and drops those below the blocks that are being read. */
export function addUnproven(proofs: ProofState, late: BlockRange, reading: BlockRange): void {
	const { from, to } = proofs.unproven;
	const isDone = to < reading.from;
	proofs.unproven = isDone ? late : { from: Math.min(from, late.from), to: Math.max(to, late.to) };
}

/** Trust never falls back to an earlier stage. */
export function raiseTrust(proofs: ProofState, trust: BloomTrust): void {
	const isMore = BLOOM_TRUSTS.indexOf(trust) > BLOOM_TRUSTS.indexOf(proofs.blooms);
	if (isMore) proofs.blooms = trust;
}
