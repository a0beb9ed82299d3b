import { nullIfRefused, type BlockRange } from '../chain/blocks';
import type { MadePayment, MadePayments } from '../chain/ownPayment';
import type { RpcReader, RpcCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { parseHeader, readHeader, readRequiredHeader } from './blocks';
import { readBlockAtTime } from './blockTimes';
import { readMovedTokens } from './movedTokens';
import { readOwnPayments } from './ownPayments';
import { findPaid, findOwnTransactions, type OwnTransaction } from './ownTransactions';
import { raise } from '../errors/raise';
import { isRecord } from '../values/parse';
import { quantityParser } from './chainObjects';

/** Which payments are wanted. */
interface Wanted {
	/** In milliseconds since 1970. */
	readonly since: number;
	/** The tokens whose payments are searched for, beside payments of coins. */
	readonly tokens: readonly string[];
}

/**
 * Reads what an account has paid since a time. It reads the account's own transactions, and logs of the tokens, which
 * also show transfers that others carried out for the account. Pending payments are added as far as the node shows
 * them.
 */
export async function readMadePayments(
	reader: RpcReader,
	account: string,
	wanted: Wanted,
): Promise<MadePayments> {
	const from = account.toLowerCase();
	const tokens = new Set(wanted.tokens.map((token) => token.toLowerCase()));
	// The latest block is read afterwards, in `readRange`, so that a pending transaction that enters a block meanwhile
	// is not missed.
	const [waiting, start] = await Promise.all([
		readWaitingTransactions(reader, from),
		readStart(reader, wanted.since),
	]);
	const now = Date.now();
	const range = await readRange(reader, start);
	const [own, moved] = await Promise.all([
		readOwnPayments(reader, from, { range, tokens }),
		readMovedTokens(reader, from, { range, tokens }),
	]);
	const logged = new Set(moved.payments.map(identify));
	const waits = waiting.transactions.filter(({ nonce }) => nonce >= own.next);
	const mined = [...moved.payments, ...own.payments.filter((one) => !logged.has(identify(one)))];
	const paid = waits.flatMap((one) => findPaid(one, tokens));
	const after = Math.max(own.after, moved.after);
	const isWhole = start !== null && after < range.from;
	const since = isWhole ? wanted.since : await readTimeAfter(reader, after, range.to);
	return {
		payments: [
			...mined.filter(({ time }) => time >= wanted.since),
			...paid.map((one) => ({ ...one, time: now })),
		],
		since: Math.max(wanted.since, waiting.areAll ? since : now),
		hidesWaiting: !waiting.areAll,
	};
}

function identify({ hash, to, token, value }: MadePayment): string {
	return [hash, to, token, value].join(' ');
}

/** How many blocks are searched if the start is unknown, because only few nodes have the state of older blocks. */
const SEARCHED_BLOCKS = 120;

/** The last block before a time; null if the node does not have it. */
async function readStart(reader: RpcReader, since: number): Promise<number | null> {
	const before = Math.ceil(since / 1000) - 1;
	const searching = readBlockAtTime(reader, before).then((block) =>
		block === null ? 0 : parseHeader(block).number,
	);
	return await searching.catch(nullIfRefused);
}

/** Returns the range of blocks to search, up to the latest. The block `start` is not part of it. */
async function readRange(reader: RpcReader, start: number | null): Promise<BlockRange> {
	const head = await reader.call('eth_getBlockByNumber', ['latest', false], { isFresh: true });
	if (head === null) throw invalidResponseError('its latest block', head);
	const to = parseHeader(head).number;
	return { from: Math.min(start ?? Math.max(to - SEARCHED_BLOCKS, 0), to) + 1, to };
}

/**
 * Returns the time of a block in milliseconds, plus 1, so that payments in the block are earlier. If the node lacks the
 * block, the next block is used.
 */
async function readTimeAfter(reader: RpcReader, block: number, head: number): Promise<number> {
	const kept = block < head ? await readHeader(reader, block).catch(nullIfRefused) : undefined;
	const { time, json } =
		kept ?? (await readRequiredHeader(reader, kept === null ? block + 1 : block));
	return Number.isFinite(time)
		? time * 1000 + 1
		: raise(invalidResponseError('a block with its time', json));
}

interface WaitingTransactions {
	readonly transactions: readonly OwnTransaction[];
	/** Whether the list has as many transactions as the node counts as pending. */
	readonly areAll: boolean;
}

/** Reads the pending transactions of an account, as far as the node shows them. */
export async function readWaitingTransactions(
	reader: RpcCaller,
	account: string,
): Promise<WaitingTransactions> {
	const [mined, counted] = await Promise.all([
		readCount(reader, account, 'latest'),
		readCount(reader, account, 'pending').catch(nullIfRefused),
	]);
	if (counted !== null && counted <= mined) return { transactions: [], areAll: true };
	const wanted = counted === null ? 0n : counted - mined;
	let transactions: readonly OwnTransaction[] = [];
	for (const read of [readPendingBlock, readPool]) {
		const found = await read(reader, account);
		transactions = distinct([...transactions, ...found]).filter(({ nonce }) => nonce >= mined);
		const nonces = new Set(transactions.map(({ nonce }) => nonce));
		if (BigInt(nonces.size) >= wanted) return { transactions, areAll: true };
	}
	return { transactions, areAll: false };
}

function distinct(transactions: readonly OwnTransaction[]): OwnTransaction[] {
	return [...new Map(transactions.map((one) => [one.hash, one])).values()];
}

async function readCount(reader: RpcCaller, account: string, block: string): Promise<bigint> {
	const answer = await reader.call('eth_getTransactionCount', [account, block], { isFresh: true });
	return quantityParser('a transaction count')(answer);
}

/** Reads transactions from the pending block. Many nodes have no such block, or return the latest block instead. */
async function readPendingBlock(reader: RpcCaller, account: string): Promise<OwnTransaction[]> {
	const block = await reader
		.call('eth_getBlockByNumber', ['pending', true], { isFresh: true })
		.catch(nullIfRefused);
	return findOwnTransactions(isRecord(block) ? block.transactions : [], account);
}

/**
 * Reads transactions from the node's pool, which also contains transactions that are too cheap for the next block. Few
 * nodes show their pool.
 */
async function readPool(reader: RpcCaller, account: string): Promise<OwnTransaction[]> {
	const pool = await reader
		.call('txpool_contentFrom', [account], { isFresh: true })
		.catch(nullIfRefused);
	const { pending, queued } = isRecord(pool) ? pool : {};
	const lists = [pending, queued].filter(isRecord).map((byNonce) => Object.values(byNonce));
	return findOwnTransactions(lists.flat(), account);
}
