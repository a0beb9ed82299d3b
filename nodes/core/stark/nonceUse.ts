import { nullIfRefused } from '../chain/blocks';
import type { RpcReader } from '../chain/reader';
import type { JsonObject } from '../values/json';
import { isRecord } from '../values/parse';
import { isIndex, type BlockId } from './blocks';
import { encodeFelt, tryParseFelt } from './felts';
import { ERROR_CODES, nullIfUnknown } from './reader';

/** The nonce of an account's transaction: its position among all transactions that the account sends. */
export interface NonceUse {
	readonly sender: bigint;
	readonly nonce: bigint;
}

export interface AcceptedTransaction {
	readonly hash: bigint;
	readonly block: number;
	readonly isOnL1: boolean;
	/** As its block has it. */
	readonly json: JsonObject;
}

/** The number of blocks to search: those of one day, at two seconds for each block. */
const SEARCHED_BLOCKS = 43_200;

/**
 * Finds the accepted transaction that has this nonce, among the latest blocks. Returns undefined if there is none, or
 * if the node does not know.
 */
export async function findAcceptedTransaction(
	reader: RpcReader,
	use: NonceUse,
): Promise<AcceptedTransaction | undefined> {
	if (!(await isUsed(reader, use, 'latest'))) return undefined;
	const block = await findBlockNumber(reader, use).catch(nullIfRefused);
	if (block === null) return undefined;
	const asking = reader.call('getBlockWithTxs', [{ block_number: block }], { isFresh: true });
	const found = await asking.catch(nullIfRefused);
	if (!isRecord(found) || !Array.isArray(found.transactions)) return undefined;
	const all: readonly unknown[] = found.transactions;
	const json = all.filter(isRecord).find((one) => isUse(one, use));
	const hash = tryParseFelt(json?.transaction_hash);
	if (!json || hash === undefined) return undefined;
	return { hash, block, isOnL1: found.status === 'ACCEPTED_ON_L1', json };
}

/** Finds the block in which the nonce was used, by bisection. */
async function findBlockNumber(reader: RpcReader, use: NonceUse): Promise<number | null> {
	const head = await reader.call('blockNumber', [], { isFresh: true });
	if (!isIndex(head)) return null;
	let before = Math.max(head - SEARCHED_BLOCKS, 0);
	let after = head;
	if (!(await isUsed(reader, use, { block_number: after }))) return null;
	if (await isUsed(reader, use, { block_number: before })) return null;
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (await isUsed(reader, use, { block_number: middle })) after = middle;
		else before = middle;
	}
	return after;
}

/** Whether the account had used the nonce by the end of a block. An account that does not exist has used none. */
async function isUsed(
	reader: RpcReader,
	{ sender, nonce }: NonceUse,
	block: BlockId,
): Promise<boolean> {
	const asking = reader.call('getNonce', [block, encodeFelt(sender)], { isFresh: true });
	const answer = tryParseFelt(await nullIfUnknown(asking, ERROR_CODES.contractUnknown));
	return answer !== undefined && answer > nonce;
}

function isUse(transaction: JsonObject, { sender, nonce }: NonceUse): boolean {
	return (
		tryParseFelt(transaction.sender_address) === sender && tryParseFelt(transaction.nonce) === nonce
	);
}
