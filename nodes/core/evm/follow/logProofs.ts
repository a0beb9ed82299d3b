import type { BlockRange } from '../../chain/blocks';
import { sharedKey } from '../../net/pacing/shared';
import type { JsonObject } from '../../values/json';
import { keccak256 } from '../../values/keccak';
import { isRecord } from '../../values/parse';
import { getTopicValues } from '../abi/event';
import type { LogFilter } from '../logs';

/**
 * How far a node's blooms (summaries of a block's logs) are trusted. The trust only moves forward in the list, as blocks
 * show more.
 */
const BLOOM_TRUSTS = ['unseen', 'used', 'mixed', 'incomplete'] as const;

type BloomTrust = (typeof BLOOM_TRUSTS)[number];

/**
 * What is known about the blooms of a chain, which summarize a block's logs, and can prove that no log is missing. n8n
 * stores it as JSON with the position.
 */
interface ProofState {
	/**
	 * `unseen`: all blooms were blank so far, as on a chain that has none. `used`: a blank bloom says that there are no
	 * logs. `mixed`: some blooms are blank although the block has logs, so only the others are used. `incomplete`: blooms
	 * leave out logs, so none is used.
	 */
	blooms: BloomTrust;
	/**
	 * Blocks whose logs are checked for completeness at any age, because the node's index of logs was late with the first
	 * of the blocks.
	 */
	unproven: BlockRange;
}

const NO_BLOCKS: BlockRange = { from: 0, to: -1 };

export const PROOF_STATE = sharedKey(
	'evm.proofState',
	(): ProofState => ({ blooms: 'unseen', unproven: NO_BLOCKS }),
);

/** Returns what is stored with a trigger's position. Nothing is stored until something is known about blooms or late logs. */
export function getStoredProofs(proofs: ProofState): { readonly proofs?: ProofState } {
	const isNew = proofs.blooms === 'unseen' && proofs.unproven.to === NO_BLOCKS.to;
	return isNew ? {} : { proofs: { ...proofs } };
}

/** Takes over the stored state. It is checked, because an imported workflow may contain anything. */
export function restoreProofs(proofs: ProofState, stored: unknown): void {
	const { blooms, unproven } = isRecord(stored) ? stored : {};
	const { from, to } = isRecord(unproven) ? unproven : {};
	const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to);
	proofs.blooms = BLOOM_TRUSTS.find((one) => one === blooms) ?? 'unseen';
	proofs.unproven = isRange ? { from: Number(from), to: Number(to) } : NO_BLOCKS;
}

/** Adds blocks of which it is not known yet whether the node has given all their logs. Blocks that were added before are forgotten as soon as the reading has passed the last of them. */
export function addUnproven(proofs: ProofState, late: BlockRange, reading: BlockRange): void {
	const { from, to } = proofs.unproven;
	const isDone = to < reading.from;
	proofs.unproven = isDone ? late : { from: Math.min(from, late.from), to: Math.max(to, late.to) };
}

/** Moves the trust forward to a later entry of `BLOOM_TRUSTS`, but never back. */
export function raiseTrust(proofs: ProofState, trust: BloomTrust): void {
	const isMore = BLOOM_TRUSTS.indexOf(trust) > BLOOM_TRUSTS.indexOf(proofs.blooms);
	if (isMore) proofs.blooms = trust;
}

const BLOOM_BYTES = 256;

/** Parses the logsBloom of a block's header, which rules out logs that the block cannot have; undefined if there is none. */
export function parseBloom({ logsBloom }: JsonObject): Buffer | undefined {
	const isWhole = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/i.test(logsBloom);
	return isWhole ? Buffer.from(logsBloom.slice(2), 'hex') : undefined;
}

export function isBlankBloom(bloom: Buffer): boolean {
	return bloom.every((byte) => byte === 0);
}

/** Whether a block can have logs that match the filter, by the bloom in its header, which summarizes its logs. */
export function mayContainLogs(bloom: Buffer, filter: LogFilter): boolean {
	if (isBlankBloom(bloom)) return false;
	return getAlternatives(filter).every(
		(values) => values.length === 0 || values.some((value) => mayContainValue(bloom, value)),
	);
}

/** Builds the bloom of a block, which summarizes its logs, from all of its logs. */
export function buildBloom(logs: readonly JsonObject[]): Buffer {
	const bloom = Buffer.alloc(BLOOM_BYTES);
	const values = logs.flatMap(({ address, topics }) => [
		address,
		...(Array.isArray(topics) ? (topics as unknown[]) : []),
	]);
	for (const value of new Set(values.map(String))) {
		for (const { byte, bit } of getBloomBits(value)) bloom[byte] = (bloom[byte] ?? 0) | bit;
	}
	return bloom;
}

function mayContainValue(bloom: Buffer, value: string): boolean {
	return getBloomBits(value).every(({ byte, bit }) => ((bloom[byte] ?? 0) & bit) !== 0);
}

/** Finds the three bits that an address or topic of a log sets in the bloom of its block. They are taken from its hash. */
function getBloomBits(value: string) {
	const hash = keccak256(Buffer.from(value.slice(2), 'hex'));
	return [0, 2, 4].map((at) => {
		const position = hash.readUInt16BE(at) % (BLOOM_BYTES * 8);
		return { byte: BLOOM_BYTES - 1 - (position >> 3), bit: 1 << (position & 7) };
	});
}

/** Lists the values that a filter accepts, first for the address of a log, then for each of its topics. */
function getAlternatives({ addresses, topics }: LogFilter): ReadonlyArray<readonly string[]> {
	return [addresses, ...topics.map(getTopicValues)];
}
