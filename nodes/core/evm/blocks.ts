import {
	type BlockRef,
	type Head,
	type ChainIdentity,
	nullIfRefused,
	countBlocks,
	ReorgDuringRead,
	type BlockRange,
} from '../chain/blocks';
import type { JsonObject } from '../values/json';
import { NodeLagging } from '../errors/nodeLagging';
import { invalidResponseError } from '../net/responses/response';
import type { RpcCaller } from '../chain/reader';
import { numberToHex } from '../values/numbers';
import { isRecord } from '../values/parse';
import { quantityParser, quantityToDecimal, quantityToNumber } from './chainObjects';
import { raise } from '../errors/raise';

/** An index of logs that is behind the latest block by more than both limits counts as broken, and not as late. */
export const MAX_INDEX_LAG = { blocks: 16, seconds: 60 };
/** The most blocks that count as recent: a minute of 50 ms each. */
const MAX_RECENT_BLOCKS = 1_200;

export interface Header extends BlockRef, Head {
	readonly parentHash: string;
	readonly json: JsonObject;
}

export async function readHeader(
	reader: RpcCaller,
	block: number | 'latest',
): Promise<Header | null> {
	const tag = typeof block === 'number' ? numberToHex(block) : block;
	const found = await reader.call('eth_getBlockByNumber', [tag, false]);
	if (found === null) return null;
	const header = parseHeader(found);
	return block === 'latest' || header.number === block
		? header
		: raise(invalidResponseError('this block', found));
}

export async function readChainId(reader: RpcCaller): Promise<bigint> {
	const answer = await reader.call('eth_chainId', []);
	const id = quantityParser('a chain ID')(answer);
	return id === 0n ? raise(invalidResponseError('a chain ID', answer)) : id;
}

export async function readChainIdentity(reader: RpcCaller): Promise<ChainIdentity> {
	const [id, first] = await Promise.all([
		reader.call('eth_chainId', []),
		readHeader(reader, 1).catch(nullIfRefused),
	]);
	return {
		id: quantityToDecimal(id) ?? raise(invalidResponseError('a chain ID', id)),
		first: first?.hash ?? null,
	};
}

/** Reads the latest block of the node. Every chain has at least one block. */
export async function readHead(reader: RpcCaller): Promise<Header> {
	return (
		(await readHeader(reader, 'latest')) ?? raise(invalidResponseError('its latest block', null))
	);
}

export async function readHeaders(reader: RpcCaller, from: number, to: number): Promise<Header[]> {
	const numbers = Array.from({ length: countBlocks({ from, to }) }, (_, index) => from + index);
	const headers = await Promise.all(
		numbers.map(async (number) => await readRequiredHeader(reader, number)),
	);
	const orphan = headers.find(
		({ parentHash }, index) => index > 0 && parentHash !== headers[index - 1]?.hash,
	);
	if (orphan) throw new ReorgDuringRead(orphan.number);
	return headers;
}

/**
 * Finds the first block of a range whose logs the node's index may lack; the block after the range if there is none.
 */
export async function readFirstRecent(
	reader: RpcCaller,
	{ from, to }: BlockRange,
	head: Head,
): Promise<number> {
	const oldest = head.number - MAX_RECENT_BLOCKS + 1;
	const latest = head.number - MAX_INDEX_LAG.blocks + 1;
	if (from >= latest) return from;
	if (to < oldest) return to + 1;
	const before = await readRequiredHeader(reader, Math.min(to, latest - 1));
	return isRecent(before, head) ? Math.max(from, oldest) : Math.min(latest, to + 1);
}

/** Whether the block is so new that the index of the node may not have its logs yet. */
export function isRecent({ number, time }: Head, head: Head): boolean {
	if (number > head.number - MAX_INDEX_LAG.blocks) return true;
	return number > head.number - MAX_RECENT_BLOCKS && time >= head.time - MAX_INDEX_LAG.seconds;
}

/** Reads the header of a block that exists on the chain. Throws `NodeLagging` if the node does not have it yet. */
export async function readRequiredHeader(reader: RpcCaller, number: number): Promise<Header> {
	const header = await readHeader(reader, number);
	if (!header) throw new NodeLagging(number);
	return header;
}

export function parseHeader(json: unknown): Header {
	const { number, hash, parentHash, timestamp } = isRecord(json) ? json : {};
	if (!isRecord(json) || typeof hash !== 'string' || typeof parentHash !== 'string') {
		throw invalidResponseError('a block', json);
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
		: raise(invalidResponseError('a block number', quantity));
}
