import { nullIfRefused } from '../chain/blocks';
import type { RpcCaller } from '../chain/reader';
import type { JsonObject } from '../values/json';
import { numberToHex } from '../values/numbers';
import { isRecord } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { quantityParser, quantityToDecimal } from './chainObjects';

/** An account and a nonce, which is the transaction's place in the order of the account's transactions. */
export interface NonceUse {
	readonly from: string;
	readonly nonce: bigint;
}

export interface MinedTransaction {
	readonly hash: string;
	readonly block: number;
	/** As its block has it. */
	readonly json: JsonObject;
}

/** How many blocks are searched. Most nodes keep the state of the latest 128 blocks only. */
const SEARCHED_BLOCKS = 120;

/**
 * Finds the transaction in the latest blocks that has this nonce; undefined where there is none, or the node does not
 * know.
 */
export async function findMinedTransaction(
	reader: RpcCaller,
	use: NonceUse,
): Promise<MinedTransaction | undefined> {
	const block = await findBlock(reader, use).catch(nullIfRefused);
	if (block === null) return undefined;
	const found = await reader
		.call('eth_getBlockByNumber', [numberToHex(block), true], { isFresh: true })
		.catch(nullIfRefused);
	const all: unknown[] =
		isRecord(found) && Array.isArray(found.transactions) ? found.transactions : [];
	const json = all.filter(isRecord).find((one) => isUse(one, use));
	return json && { hash: String(json.hash), block, json };
}

/** Finds the block in which the nonce was used, by halving the range until one block is left. */
async function findBlock(reader: RpcCaller, use: NonceUse): Promise<number | null> {
	const head = parseBlockNumber(await reader.call('eth_blockNumber', [], { isFresh: true }));
	let before = Math.max(head - SEARCHED_BLOCKS, 0);
	let after = head;
	if (!(await isUsed(reader, use, after)) || (await isUsed(reader, use, before))) return null;
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (await isUsed(reader, use, middle)) after = middle;
		else before = middle;
	}
	return after;
}

/** Whether the account has used the nonce in the given block or earlier. */
export async function isUsed(
	reader: RpcCaller,
	{ from, nonce }: NonceUse,
	block: number | 'latest',
): Promise<boolean> {
	const at = block === 'latest' ? block : numberToHex(block);
	const answer = await reader.call('eth_getTransactionCount', [from, at], { isFresh: true });
	return quantityParser('a transaction count')(answer) > nonce;
}

function isUse(
	{ hash, from: sender, nonce: place }: JsonObject,
	{ from, nonce }: NonceUse,
): boolean {
	const isIt =
		String(sender).toLowerCase() === from.toLowerCase() &&
		quantityToDecimal(place) === nonce.toString();
	return isIt && typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash);
}
