import { NodeLagging } from '../errors/nodeLagging';
import { isPermanent } from '../errors/requestFailure';
import { throwInvalidResponse } from '../transport/responses/response';
import { isLimitNamed } from '../transport/responses/rpcErrors';
import type { Caller } from '../transport/rpc/chain';
import { numberToHex } from '../values/numbers';
import { isRecord, throwAgain } from '../values/parse';
import { quantityToDecimal, quantityToNumber, type ChainObject } from './objects';

/** Consecutive blocks, both ends included. */
export interface BlockRange {
	readonly from: number;
	readonly to: number;
}

/** How many blocks are read at a time: few nodes let one search span many more. */
export const BLOCKS_PER_REQUEST = 100;

/** Cuts a range into pieces that are read with one request each. */
export function splitRange(from: number, to: number): BlockRange[] {
	return Array.from(
		{ length: Math.ceil(countBlocks({ from, to }) / BLOCKS_PER_REQUEST) },
		(_, index) => {
			const start = from + index * BLOCKS_PER_REQUEST;
			return { from: start, to: Math.min(start + BLOCKS_PER_REQUEST - 1, to) };
		},
	);
}

/** What was read belongs to two branches of the chain, which may have changed meanwhile. */
export class ReorgDuringRead extends NodeLagging {}

/** An index that is behind the head by more than both limits is broken rather than late. */
export const MAX_INDEX_LAG = { blocks: 16, seconds: 60 };
/** The most blocks that count as recent: a minute of 50 ms each. */
const MAX_RECENT_BLOCKS = 1_200;

/** A block's place on the chain. */
export interface BlockRef {
	readonly number: number;
	readonly hash: string;
	/** Not every source contains it. */
	readonly parentHash?: string;
}

/** The chain's latest block, against which the age of others is measured. */
export interface Head {
	readonly number: number;
	/** Unix seconds; NaN where the node does not return it. */
	readonly time: number;
}

export interface Header extends BlockRef, Head {
	readonly parentHash: string;
	readonly json: ChainObject;
}

export async function readHeader(chain: Caller, block: number | 'latest'): Promise<Header | null> {
	const tag = typeof block === 'number' ? numberToHex(block) : block;
	const found = await chain.call('eth_getBlockByNumber', [tag, false]);
	if (found === null) return null;
	const header = parseHeader(found);
	return block === 'latest' || header.number === block
		? header
		: throwInvalidResponse('this block', found);
}

/** What distinguishes one chain from another. */
export interface ChainIdentity {
	readonly id: string;
	/**
	 * The hash of block 1, whose time differs even when a chain is restarted from the same genesis. Null where there is
	 * none yet, and with nodes that do not keep it.
	 */
	readonly first: string | null;
}

export async function readChainIdentity(chain: Caller): Promise<ChainIdentity> {
	const [id, first] = await Promise.all([
		chain.call('eth_chainId', []),
		readHeader(chain, 1).catch(nullIfRefused),
	]);
	return {
		id: quantityToDecimal(id) ?? throwInvalidResponse('a chain ID', id),
		first: first?.hash ?? null,
	};
}

/** A node may report a missing block as an error. A refusal because of rights or limits is a failure all the same. */
export function nullIfRefused(failure: unknown): null {
	const isRefused =
		isPermanent(failure) && failure.httpCode !== 429 && !isLimitNamed(failure.message);
	return isRefused ? null : throwAgain(failure);
}

/** The node's latest block; every chain has one. */
export async function readHead(chain: Caller): Promise<Header> {
	return (await readHeader(chain, 'latest')) ?? throwInvalidResponse('its latest block', null);
}

export async function readHeaders(chain: Caller, from: number, to: number): Promise<Header[]> {
	const numbers = Array.from({ length: countBlocks({ from, to }) }, (_, index) => from + index);
	const headers = await Promise.all(
		numbers.map(async (number) => await readRequiredHeader(chain, number)),
	);
	const orphan = headers.find(
		({ parentHash }, index) => index > 0 && parentHash !== headers[index - 1]?.hash,
	);
	if (orphan) throw new ReorgDuringRead(orphan.number);
	return headers;
}

/** The first block of a range that an index may not have yet; the block after the range if there is none. */
export async function readFirstRecent(
	chain: Caller,
	{ from, to }: BlockRange,
	head: Head,
): Promise<number> {
	const oldest = head.number - MAX_RECENT_BLOCKS + 1;
	const latest = head.number - MAX_INDEX_LAG.blocks + 1;
	if (from >= latest) return from;
	if (to < oldest) return to + 1;
	const before = await readRequiredHeader(chain, Math.min(to, latest - 1));
	return isRecent(before, head) ? Math.max(from, oldest) : Math.min(latest, to + 1);
}

/** Whether an index may not have this block yet. */
export function isRecent({ number, time }: Head, head: Head): boolean {
	if (number > head.number - MAX_INDEX_LAG.blocks) return true;
	return number > head.number - MAX_RECENT_BLOCKS && time >= head.time - MAX_INDEX_LAG.seconds;
}

/** Reads a block that the chain has, though the node that answers may not have it yet. */
export async function readRequiredHeader(chain: Caller, number: number): Promise<Header> {
	const header = await readHeader(chain, number);
	if (!header) throw new NodeLagging(number);
	return header;
}

export function parseHeader(json: unknown): Header {
	const { number, hash, parentHash, timestamp } = isRecord(json) ? json : {};
	if (!isRecord(json) || typeof hash !== 'string' || typeof parentHash !== 'string') {
		return throwInvalidResponse('a block', json);
	}
	return {
		number: parseBlockNumber(number),
		time: Number(quantityToNumber(timestamp) ?? NaN),
		hash: hash.toLowerCase(),
		parentHash: parentHash.toLowerCase(),
		json,
	};
}

/** Parses a block number to a JavaScript number. */
export function parseBlockNumber(quantity: unknown): number {
	const height = typeof quantity === 'string' ? Number(quantity) : quantity;
	return typeof height === 'number' && Number.isSafeInteger(height) && height >= 0
		? height
		: throwInvalidResponse('a block number', quantity);
}

/** Both ends of the range count. */
export function countBlocks({ from, to }: BlockRange): number {
	return to - from + 1;
}
