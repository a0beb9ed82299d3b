import { nullIfRefused, type BlockRange } from '../chain/blocks';
import type { RestReader } from '../chain/reader';
import { NodeLagging } from '../errors/nodeLagging';
import { rethrow } from '../values/parse';
import { readBlock, readNextBlocks, type BareBlock, type BlockHeader } from './blocks';
import { readToHead } from './reader';

interface BlocksSince {
	/** In no order. */
	readonly blocks: readonly BareBlock[];
	/** The time since which no block is missing, in milliseconds since 1970. */
	readonly since: number;
}

const BLOCK_MS = 3000;
const BLOCKS_PER_PART = 20;
const MAX_PARALLEL_PARTS = 4;
/** Twenty minutes of blocks, which are some hundred megabytes on a busy chain. */
const MAX_BLOCKS = 400;

/** Reads the blocks up to the head, the newest first, until a block is earlier than needed or the node has no more. */
export async function readBlocksBack(
	reader: RestReader,
	head: BlockHeader,
	since: number,
): Promise<BlocksSince> {
	const view = readToHead(reader);
	const blocks: BareBlock[] = [];
	// The oldest block that was read, behind which the next ones are read.
	let first = { number: head.number + 1, timestamp: head.timestamp + 1 };
	const isWhole = () => first.timestamp < since || first.number === 0;
	while (!isWhole() && blocks.length < MAX_BLOCKS) {
		const ranges = chooseRanges(first, since);
		const parts = await Promise.all(ranges.map(async (range) => await readPart(view, range)));
		const lost = parts.indexOf(null);
		const whole = (lost < 0 ? parts : parts.slice(0, lost)).flatMap((part) => part ?? []);
		const rest = ranges[lost];
		const read = rest ? [...whole, ...(await readDown(view, rest, head))] : whole;
		for (const one of read) blocks.push(one);
		first = read.reduce((oldest, one) => (one.number < oldest.number ? one : oldest), first);
		if (lost >= 0) break;
	}
	return {
		blocks: blocks.filter(({ timestamp }) => timestamp >= since),
		since: isWhole() ? since : Math.max(since, first.timestamp),
	};
}

/** The next parts before a block, as many as the time may take. */
function chooseRanges(
	{ number, timestamp }: Pick<BlockHeader, 'number' | 'timestamp'>,
	since: number,
): BlockRange[] {
	const expected = Math.ceil((timestamp - since) / BLOCK_MS / BLOCKS_PER_PART);
	const count = Math.min(Math.max(expected, 1), MAX_PARALLEL_PARTS);
	return Array.from({ length: count }, (_, index) => {
		const to = number - 1 - index * BLOCKS_PER_PART;
		return { from: Math.max(to - BLOCKS_PER_PART + 1, 0), to };
	}).filter(({ to }) => to >= 0);
}

/** Null if the node does not give these blocks. */
async function readPart(reader: RestReader, range: BlockRange): Promise<BareBlock[] | null> {
	return await readWhole(reader, range).catch(nullIfMissing);
}

/** A missing block below the head is one that the node does not keep. */
function nullIfMissing(failure: unknown): null {
	return failure instanceof NodeLagging ? null : nullIfRefused(failure);
}

/** Reads a range from its end, until a block is missing. A node that lacks its own head is behind and gives no answer. */
async function readDown(
	reader: RestReader,
	{ from, to }: BlockRange,
	head: BlockHeader,
): Promise<BareBlock[]> {
	const found: BareBlock[] = [];
	for (let number = to; number >= from; number--) {
		const reading = readBlock(reader, number);
		const block = await (number === head.number ? reading : reading.catch(nullIfMissing));
		if (!block) break;
		found.push(block);
	}
	return found;
}

/** If a node gives only a part of the list, the rest is requested. */
async function readWhole(reader: RestReader, { from, to }: BlockRange): Promise<BareBlock[]> {
	const all: BareBlock[] = [];
	while (from + all.length <= to) {
		const range = { from: from + all.length, to };
		const { blocks, failure } = await readNextBlocks(reader, range, all.at(-1));
		if (failure !== undefined) return rethrow(failure);
		for (const one of blocks) all.push(one);
	}
	return all;
}
