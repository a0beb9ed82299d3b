import type { BlockRef, BlockRange } from '../chain/blocks';
import type { RestCaller, RestReader } from '../chain/reader';
import { NodeLagging } from '../errors/nodeLagging';
import { isPermanent, RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { catching, isRecord, rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import {
	MalformedPart,
	parseHashPart,
	parseNumberPart,
	parseRecordPart,
	parseRecordsPart,
	malformedError,
} from './blockParts';
import { callIrreversible } from './reader';
import { parseListedTransaction, type ListedTransaction } from './blockTransactions';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

export interface BlockHeader extends BlockRef {
	readonly parentHash: string;
	/** The time is in milliseconds since 1970. */
	readonly timestamp: number;
}

/** A block that does not contain the outcomes of its transactions. */
export interface BareBlock extends BlockHeader {
	readonly transactions: readonly ListedTransaction[];
}

/** A block is irreversible when 19 of the 27 block producers, more than two thirds, have built on it. */
export const MIN_BLOCKS_ON_TOP = 19;

/** Reads the newest block and the newest irreversible block. The latter is null if there is none yet. */
export async function readHeads(reader: RestReader): Promise<{
	readonly latest: BlockHeader;
	readonly irreversible: BlockHeader | null;
}> {
	const [latest, solid] = await Promise.all([
		readNewest(reader, '/wallet'),
		readNewest(reader, '/walletsolidity').catch(nullIfNotServed),
	]);
	const last = latest.number - MIN_BLOCKS_ON_TOP;
	return { latest, irreversible: solid ?? (last < 0 ? null : await readBlock(reader, last)) };
}

/** Reads the number of the newest block. The other contents of the block are ignored. */
export async function readHeadNumber({ call }: RestCaller): Promise<number> {
	const answer = throwIfError(await call({ path: '/wallet/getnowblock', body: {} }));
	return parseChecked(answer, 'a block', (json) => {
		const { number } = parseRawHeader(json);
		return number === undefined
			? raise(malformedError('number'))
			: parseNumberPart(number, 'number');
	});
}

/** Reads the newest block, which is not irreversible yet. */
export async function readHead(reader: RestCaller): Promise<BlockHeader> {
	return await readNewest(reader, '/wallet');
}

/** The newest irreversible block. */
export async function readSolidHead(reader: RestCaller): Promise<BlockHeader> {
	return await readNewest(reader, '/walletsolidity');
}

async function readNewest({ call }: RestCaller, view: string): Promise<BlockHeader> {
	const answer = throwIfError(await call({ path: `${view}/getnowblock`, body: {} }));
	return parseChecked(answer, 'its newest block', parseHeader);
}

function nullIfNotServed(failure: unknown): null {
	return isNotServed(failure) ? null : rethrow(failure);
}

/** Reads an irreversible block. Throws if the node does not have it. */
export async function readBlock(reader: RestReader, number: number): Promise<BareBlock> {
	return parseBlock(await askForBlock(reader, number), number);
}

/**
 * Reads the header of an irreversible block. Transactions are ignored, because the first block has transactions of
 * another form.
 */
export async function readBlockHeader(reader: RestReader, number: number): Promise<BlockHeader> {
	const answer = await askForBlock(reader, number);
	return checkNumber(parseChecked(answer, `block ${number}`, parseHeader), number);
}

async function askForBlock(reader: RestReader, number: number): Promise<unknown> {
	const answer = await callIrreversible(reader, 'getblockbynum', { num: number, visible: false });
	return isEmptyAnswer(answer) ? raise(new NodeLagging(number)) : answer;
}

function checkNumber<Block extends BlockHeader>(block: Block, number: number): Block {
	if (block.number === number) return block;
	throw new RequestFailure(`The chain node was asked for block ${number} and gave ${block.number}`);
}

/** Reads the hash of block 1, which identifies the chain. Returns null if the node does not keep this block. */
export async function readFirstHash(reader: RestReader): Promise<string | null> {
	return await readBlock(reader, 1).then(
		({ hash }) => hash,
		(failure) => (isPermanent(failure) || failure instanceof NodeLagging ? null : rethrow(failure)),
	);
}

/** A node gives at most 100 blocks in one answer. Fewer are requested, because their transactions have megabytes. */
const BLOCKS_PER_LIST = 20;

/** Whether the node serves lists of several blocks. */
const RANGE_SUPPORT = sharedKey('witness.rangeSupport', () => ({ isServed: true }));

/** The valid blocks at the beginning of a range. If an invalid or missing block follows them, `failure` says why. */
export interface ReadPart<Block> {
	readonly blocks: readonly Block[];
	readonly failure?: unknown;
}

/** Reads the next irreversible blocks of a range in order, as many as one answer may hold. */
export async function readNextBlocks(
	reader: RestReader,
	{ from, to }: BlockRange,
	before: BlockRef | undefined,
): Promise<ReadPart<BareBlock>> {
	const end = Math.min(to, from + BLOCKS_PER_LIST - 1);
	const support = reader.shared(RANGE_SUPPORT);
	const listed = support.isServed && end > from ? await readList(reader, from, end) : [];
	if (listed.length > 0) {
		const blocks = listed.map((json, index) => () => parseBlock(json, from + index));
		return await takeSound(blocks, before);
	}
	const first = await readBlock(reader, from);
	// The node has the first block, but gives no list that begins with it. So it does not serve lists.
	if (end > from) support.isServed = false;
	const rest = Array.from({ length: end - from }, async (_, index) => {
		return await readBlock(reader, from + 1 + index);
	});
	for (const one of rest) one.catch(() => {});
	return await takeSound([() => first, ...rest.map((one) => async () => await one)], before);
}

/**
 * Reads a list of blocks. Returns an empty list if a gateway does not serve the method, or if the blocks do not exist
 * yet.
 */
async function readList(reader: RestReader, from: number, to: number): Promise<unknown[]> {
	const body = { startNum: from, endNum: to + 1, visible: false };
	const answer = await callIrreversible(reader, 'getblockbylimitnext', body).catch((failure) =>
		isPermanent(failure) ? {} : rethrow(failure),
	);
	const listed = isRecord(answer) && Array.isArray(answer.block) ? answer.block : [];
	const most = to - from + 1;
	return listed.length > most
		? raise(invalidResponseError(`at most ${most} blocks`, answer))
		: (listed as unknown[]);
}

/** Reads blocks as long as each block follows the previous block. */
async function takeSound(
	reads: ReadonlyArray<() => BareBlock | Promise<BareBlock>>,
	before: BlockRef | undefined,
): Promise<ReadPart<BareBlock>> {
	const blocks: BareBlock[] = [];
	try {
		for (const read of reads) {
			const block = await read();
			checkFollows(block, blocks.at(-1) ?? before);
			blocks.push(block);
		}
	} catch (failure) {
		return { blocks, failure };
	}
	return { blocks };
}

/**
 * Throws if a block does not follow the previous block. Nodes behind one address may be on different branches, or a
 * faulty node contradicts itself.
 */
function checkFollows({ number, parentHash }: BlockHeader, before: BlockRef | undefined): void {
	if (!before || parentHash === before.hash) return;
	throw new RequestFailure(
		`Block ${number} of the chain node does not follow block ${before.number}`,
		{
			description: `Its parent is ${parentHash}, but block ${before.number} was read as ${before.hash}. Nothing is lost. If the message stays, use another chain node.`,
		},
	);
}

export function isEmptyAnswer(answer: unknown): boolean {
	return isRecord(answer) && Object.keys(answer).length === 0;
}

function parseBlock(json: unknown, number: number): BareBlock {
	const block = parseChecked(json, `block ${number}`, (given) => ({
		...parseHeader(given),
		transactions: parseRecordsPart(
			parseRecordPart(given, 'block').transactions,
			'transactions',
		).map(parseListedTransaction),
	}));
	checkNumber(block, number);
	if (block.transactions.length === 0 && hasTransactions(json)) {
		throw new RequestFailure(`The chain node gave block ${number} without its transactions`, {
			description:
				'By its header, the block has transactions. If the message stays, use another chain node.',
		});
	}
	return block;
}

/**
 * Whether the header says that the block has transactions. Without transactions, the root of their hash tree is all
 * zeros.
 */
function hasTransactions(json: unknown): boolean {
	const { txTrieRoot: root } = parseRawHeader(json);
	return typeof root === 'string' && /[^0]/.test(root);
}

const NUMBER_HEX_CHARS = 16;

/** Parses the header of a block. The hash of a block begins with its number, which must match. */
function parseHeader(json: unknown): BlockHeader {
	const raw = parseRawHeader(json);
	const block = parseRecordPart(json, 'block');
	const number = parseNumberPart(raw.number, 'number');
	const hash = parseHashPart(block.blockID, 'blockID');
	if (Number(`0x${hash.slice(0, NUMBER_HEX_CHARS)}`) !== number) throw malformedError('blockID');
	return {
		number,
		hash,
		parentHash: parseHashPart(raw.parentHash, 'parentHash'),
		timestamp: parseTimePart(raw.timestamp),
	};
}

function parseRawHeader(json: unknown) {
	const header = parseRecordPart(parseRecordPart(json, 'block').block_header, 'block_header');
	return parseRecordPart(header.raw_data, 'block_header.raw_data');
}

/** Dates reach no further. */
const MAX_TIME_MS = 8_640_000_000_000_000;

function parseTimePart(value: unknown): number {
	const time = parseNumberPart(value, 'timestamp');
	return time <= MAX_TIME_MS ? time : raise(malformedError('timestamp'));
}

/** Parses an answer. If it has an unexpected form, the error names the field. */
export function parseChecked<T>(answer: unknown, promised: string, parse: (json: unknown) => T): T {
	const parsed = catching(MalformedPart, () => parse(answer));
	return parsed instanceof MalformedPart
		? raise(
				invalidResponseError(
					`${promised}: its '${parsed.message}' is missing or of another form`,
					answer,
				),
			)
		: parsed;
}
