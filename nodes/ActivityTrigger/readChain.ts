import type { RpcReader } from '../core/chain/reader';
import type { IPollFunctions } from 'n8n-workflow';
import { InvalidInput } from '../core/errors/invalidInput';
import { NodeLagging } from '../core/errors/nodeLagging';
import { readChainIdentity, readHeader, readHead, MAX_INDEX_LAG } from '../core/evm/blocks';
import { splitRange, nullIfRefused, type Head } from '../core/chain/blocks';
import { activationError } from '../core/errors/nodeError';
import { withAdvice } from '../core/errors/requestFailure';
import { formatEmission, type ChainView } from '../core/chain/advance';
import { getStoredProofs, createProofState, restoreProofs } from '../core/evm/follow/logProofs';
import { LogsLate, LogsMissing } from '../core/evm/follow/provenLogs';
import {
	hasBlock,
	belongsToChain,
	mergeChainIdentity,
	createCursorAfter,
	type ChainEvent,
} from '../core/chain/cursor';
import type { PollOptions } from './options';
import type { JsonObject } from '../core/values/json';
import { catchUp } from '../core/trigger/catchUp';
import { createCursorStorage, resumeOrBegin } from '../core/trigger/cursorStorage';
import { createPollStorage } from '../core/trigger/poll';
import { throwNoSample, type Sample } from '../core/trigger/pollEvent';

/** A node may be behind its own head by so much without a word. */
const TOLERATED_LAG = { blocks: 4, seconds: 4 };

/** The reader, and the choices of the user, by which a poll finds what is new. */
export interface PollSearch {
	readonly chain: RpcReader;
	readonly view: ChainView;
	/** Blocks whose logs may be missing for good, as the view finds them. */
	readonly doubtedBlocks: ReadonlySet<number>;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: Sample;
	readonly options: PollOptions;
}

/** Reads the latest event, as a sample for the person who builds the workflow. */
export async function readSample(search: PollSearch, deadline: number): Promise<JsonObject> {
	const { number } = await readHead(search.chain);
	const found = await readLatestEvent(number - search.options.confirmations, search, deadline);
	return formatEmission({ json: found.json, block: found.block.hash, change: 'new' }, search.view);
}

/** Goes on from where the last poll stopped. The saved cursor moves only together with what is emitted. */
export async function readNews(
	context: IPollFunctions,
	search: PollSearch,
	deadline: number,
): Promise<readonly JsonObject[]> {
	const { chain: node, view, watched, options } = search;
	const storage = createPollStorage(context, createCursorStorage(context));
	const [head, chain] = await Promise.all([readHead(node), readChainIdentity(node)]);
	const last = head.number - options.confirmations;
	if (last < 0) return [];
	const end = options.confirmations === 0 ? head : await readHeader(node, last);
	const saved = resumeOrBegin(context, storage, {
		watched,
		isSameChain: (before) => belongsToChain(before, chain, head),
		begin: () => end && { chain, watched, cursor: createCursorAfter(end) },
	});
	if (!saved || (end && hasBlock(saved.cursor, end))) return [];
	const proofs = node.shared(createProofState);
	restoreProofs(proofs, saved.cursor.proofs);
	const limits = { head, last, maxBlocks: options.maxBlocksPerPoll, deadline };
	const { cursor, emissions, failure } = await catchUp(saved.cursor, view, limits);
	const next = {
		chain: mergeChainIdentity(saved.chain, chain),
		watched,
		cursor: { ...cursor, ...getStoredProofs(proofs) },
	};
	const isOurs = await storage.replaceWith(next, emissions);
	if (isOurs) reportDoubtedBlocks(context, search, cursor.next);
	if (emissions.length === 0 && failure) return await throwIfLate(failure, head, node);
	return isOurs ? emissions.map((one) => formatEmission(one, view)) : [];
}

/** The next poll will find what the node does not have yet; when it is late, it is time to say so. */
async function throwIfLate(
	failure: unknown,
	head: Head,
	node: RpcReader,
): Promise<readonly JsonObject[]> {
	if (!(failure instanceof NodeLagging)) throw failure;
	if (failure instanceof LogsLate || failure.block > head.number - TOLERATED_LAG.blocks) return [];
	const block = await readHeader(node, failure.block).catch(nullIfRefused);
	if (block && block.time >= head.time - TOLERATED_LAG.seconds) return [];
	const confirmations = Math.max(MAX_INDEX_LAG.blocks, head.number - failure.block + 1);
	throw withAdvice(
		failure,
		`Its head is block ${head.number}. If it is always this far behind, set the option 'Confirmations' to ${confirmations}.`,
	);
}

/** A poll either gives items or fails: what may be missing is reported beside it, once it was passed over. */
function reportDoubtedBlocks(
	context: IPollFunctions,
	{ doubtedBlocks }: PollSearch,
	next: number,
): void {
	const blocks = [...doubtedBlocks].filter((one) => one < next);
	if (blocks.length === 0) return;
	context.__emitError(activationError(context.getNode(), new LogsMissing(blocks)));
}

/** All blocks count as settled: a sample proves nothing. */
const SETTLED_HEAD: Head = { number: Infinity, time: Infinity };

async function readLatestEvent(
	head: number,
	{ sample, options, view }: PollSearch,
	deadline: number,
): Promise<ChainEvent> {
	if (head < 0) {
		throw new InvalidInput(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${options.confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(sample.maxBlocks ?? options.maxBlocksPerPoll, head + 1);
	let searched = 0;
	for (const { from, to } of splitRange(0, count - 1)) {
		const found = (await view.readEvents({ from: head - to, to: head - from }, SETTLED_HEAD)).at(
			-1,
		);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	return throwNoSample(sample, searched);
}
