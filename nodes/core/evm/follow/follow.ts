import type { ChainView } from '../../chain/advance';
import {
	BLOCKS_PER_REQUEST,
	countBlocks,
	nullIfRefused,
	type ChainIdentity,
	type Head,
} from '../../chain/blocks';
import {
	belongsToChain,
	createCursorAfter,
	createCursorAt,
	formatEmission,
	hasBlock,
	mergeChainIdentity,
	type ChainPosition,
	type Cursor,
	type Emission,
} from '../../chain/cursor';
import {
	chainPositionStorage,
	formatNextBlock,
	readBlocksOn,
	splitBack,
	type FollowedChain,
	type ChainPart,
	type PresentChain,
	type ReadLimits,
	type Step,
} from '../../chain/follow';
import { throwIfBehind } from '../../chain/lag';
import { findStartBlock } from '../../chain/startAt';
import type { RpcReader } from '../../chain/reader';
import { InvalidInput } from '../../errors/invalidInput';
import { NodeLagging } from '../../errors/nodeLagging';
import { withAdvice } from '../../errors/requestFailure';
import { MAX_INDEX_LAG, readChainIdentity, readHead, readHeader } from '../blocks';
import { PROOF_STATE, getStoredProofs, restoreProofs } from './logProofs';
import { LogsLate, LogsMissing } from './provenLogs';

/** How far the data of a node may be behind the latest block that it names before an error is reported. */
const TOLERATED_LAG = { blocks: 4, seconds: 4 };

interface Watched {
	readonly view: ChainView;
	/** How many blocks must follow a block before its events are emitted. */
	readonly confirmations: number;
	/** Blocks whose logs may be missing for good, as the view finds them. */
	readonly doubtedBlocks: ReadonlySet<number>;
}

export function followChain(reader: RpcReader, watched: Watched): FollowedChain<ChainPosition> {
	return {
		storage: chainPositionStorage,
		formatPlace: formatNextBlock,
		readPresent: async () => await readPresent(reader, watched),
		searchBack: (reach) => searchBack(reader, watched, reach),
	};
}

async function readPresent(
	reader: RpcReader,
	{ view, confirmations, doubtedBlocks }: Watched,
): Promise<PresentChain<ChainPosition> | null> {
	const [head, chain] = await Promise.all([readHead(reader), readChainIdentity(reader)]);
	const last = head.number - confirmations;
	if (last < 0) return null;
	const end = confirmations === 0 ? head : await readHeader(reader, last);
	return {
		isSameChain: (before) => belongsToChain(before, chain, head),
		begin: () => end && { chain, cursor: createCursorAfter(end) },
		beginAt: async (start) => {
			if (!end) return null;
			const readTime = async (number: number) => (await readHeader(reader, number))?.time;
			const first = await findStartBlock(start, last, readTime);
			return { chain, cursor: createCursorAt(first, end) };
		},
		async *readOn(before, reach) {
			if (end && hasBlock(before.cursor, end)) return;
			yield* readOn(reader, view, before, { head, last, chain }, reach);
		},
		findDoubt: ({ cursor }) => {
			const blocks = [...doubtedBlocks].filter((one) => one < cursor.next);
			return blocks.length > 0 ? new LogsMissing(blocks) : undefined;
		},
		throwIfLate: async ({ cursor }, failure) => {
			await throwIfLate(failure, head, reader);
			await throwIfFarBehind(cursor, head, reader);
		},
	};
}

interface PresentBlocks {
	readonly head: Head;
	readonly last: number;
	readonly chain: ChainIdentity;
}

/** Reads on from a position. The new position keeps what is known about missing logs, even if a range fails. */
async function* readOn(
	reader: RpcReader,
	view: ChainView,
	before: ChainPosition,
	{ head, last, chain }: PresentBlocks,
	reach: ReadLimits,
): AsyncGenerator<Step<ChainPosition>> {
	const proofs = reader.shared(PROOF_STATE);
	restoreProofs(proofs, before.cursor.proofs);
	let reached = before.cursor;
	const createStep = (cursor: Cursor, emissions: readonly Emission[], blocks: number) => ({
		position: {
			chain: mergeChainIdentity(before.chain, chain),
			cursor: { ...cursor, ...getStoredProofs(proofs) },
		},
		items: emissions.map((one) => formatEmission(one, view)),
		blocks,
	});
	try {
		for await (const step of readBlocksOn(before.cursor, view, { head, last }, reach)) {
			reached = step.cursor;
			yield createStep(step.cursor, step.emissions, step.blocks);
		}
	} catch (failure) {
		yield { ...createStep(reached, [], 0), failure };
	}
}

/** Ignores that a node lacks a block, because the next poll will find it. Throws if the block is too old to be missing. */
async function throwIfLate(failure: unknown, head: Head, reader: RpcReader): Promise<void> {
	if (failure === undefined) return;
	if (!(failure instanceof NodeLagging)) throw failure;
	if (failure instanceof LogsLate || failure.block > head.number - TOLERATED_LAG.blocks) return;
	const block = await readHeader(reader, failure.block).catch(nullIfRefused);
	if (block && block.time >= head.time - TOLERATED_LAG.seconds) return;
	const confirmations = Math.max(MAX_INDEX_LAG.blocks, head.number - failure.block + 1);
	throw withAdvice(
		failure,
		`Its latest block is block ${head.number}. If the chain node is always this far behind, set the option 'Confirmations' to ${confirmations}.`,
	);
}

/**
 * Throws if the node is far behind the blocks that were already read. The time of the missing blocks is estimated from as
 * many earlier blocks.
 */
async function throwIfFarBehind(cursor: Cursor, head: Head, reader: RpcReader): Promise<void> {
	const { blocks: toleratedBlocks, seconds } = MAX_INDEX_LAG;
	const missing = cursor.next - 1 - head.number;
	if (missing <= toleratedBlocks) return;
	const before = await readHeader(reader, Math.max(0, head.number - missing)).catch(nullIfRefused);
	if (before && head.time - before.time < seconds) return;
	throwIfBehind(cursor, { last: head.number, toleratedBlocks });
}

/** Stands for the latest block, so that every block counts as old. A sample for the editor may lack logs. */
const SETTLED_HEAD: Head = { number: Infinity, time: Infinity };

async function* searchBack(
	reader: RpcReader,
	{ view, confirmations }: Watched,
	reach: ReadLimits,
): AsyncGenerator<ChainPart> {
	const last = (await readHead(reader)).number - confirmations;
	if (last < 0) {
		throw new InvalidInput(
			"No block has as many confirmations yet as the option 'Confirmations' demands",
			`The option demands that ${confirmations} blocks follow a block. Lower the option, or wait until the chain has more blocks.`,
		);
	}
	for (const range of splitBack(last, reach, { blocks: BLOCKS_PER_REQUEST })) {
		const found = (await view.readEvents(range, SETTLED_HEAD)).at(-1);
		const sample = found && { json: found.json, block: found.block.hash, change: 'new' as const };
		yield { items: sample ? [formatEmission(sample, view)] : [], blocks: countBlocks(range) };
	}
}
