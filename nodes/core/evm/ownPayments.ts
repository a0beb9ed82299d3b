import { nullIfRefused, type BlockRange } from '../chain/blocks';
import type { MadePayment } from '../chain/ownPayment';
import type { RpcCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { numberToHex } from '../values/numbers';
import { isRecord } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { objectOrNullParser, quantityToDecimal } from './chainObjects';
import { findOwnTransactions, findPaid, type OwnTransaction } from './ownTransactions';
import { listMovedTokens } from './receipts';
import { findSendingBlocks, type SendingBlock } from './sendingBlocks';

interface OwnPayments {
	readonly payments: readonly MadePayment[];
	/** The last block whose payments may be missing here. All payments in later blocks are known. */
	readonly after: number;
	/** The nonce of the account after the last block. */
	readonly next: bigint;
}

interface MinedTransaction extends OwnTransaction {
	/** In milliseconds since 1970. */
	readonly time: number;
}

/** Reads what an account has paid by its own transactions in a range of blocks. */
export async function readOwnPayments(
	reader: RpcCaller,
	account: string,
	{ range, tokens }: { readonly range: BlockRange; readonly tokens: ReadonlySet<string> },
): Promise<OwnPayments> {
	const { blocks, after: known, next } = await findSendingBlocks(reader, account, range);
	const { transactions, after } = await readTransactions(reader, account, blocks);
	const payments = await Promise.all(
		transactions.map(async (one) => await readPayments(reader, account, { ...one, tokens })),
	);
	return { payments: payments.flat(), after: Math.max(known, after), next };
}

/**
 * Limits the transactions in the blocks that are read, whichever accounts sent them. Beyond the limit, older blocks are
 * not read.
 */
const MAX_TRANSACTIONS = 30_000;
const FEWEST_PARALLEL_BLOCKS = 4;
const MOST_PARALLEL_BLOCKS = 64;
/** More blocks are read at the same time if the latest blocks had fewer transactions than this. */
const FEW_TRANSACTIONS = 400;

/** Reads the blocks from the newest on, until a block cannot be read completely. */
async function readTransactions(
	reader: RpcCaller,
	account: string,
	blocks: readonly SendingBlock[],
) {
	const found: MinedTransaction[] = [];
	let seen = 0;
	let width = FEWEST_PARALLEL_BLOCKS;
	for (let at = 0; at < blocks.length; ) {
		const part = blocks.slice(at, at + width);
		const before = seen;
		const read = await Promise.all(part.map(async (one) => await readBlock(reader, account, one)));
		for (const [index, { transactions, count, isWhole }] of read.entries()) {
			for (const one of transactions) found.push(one);
			seen += count;
			const { number = 0 } = part[index] ?? {};
			if (!isWhole) return { transactions: found, after: number };
			if (seen > MAX_TRANSACTIONS) return { transactions: found, after: number - 1 };
		}
		at += width;
		width = chooseWidth(width, seen - before);
	}
	return { transactions: found, after: 0 };
}

/**
 * Chooses how many blocks are read at the same time. Full blocks are read a few at a time, because their answers are
 * large.
 */
function chooseWidth(width: number, seen: number): number {
	return seen < FEW_TRANSACTIONS
		? Math.min(2 * width, MOST_PARALLEL_BLOCKS)
		: FEWEST_PARALLEL_BLOCKS;
}

/**
 * Reads an account's transactions in a block. The list is incomplete if a nonce has no transaction, because an
 * authorization (EIP-7702) may have used the nonce.
 */
async function readBlock(reader: RpcCaller, account: string, { number, first, end }: SendingBlock) {
	const block = await reader
		.call('eth_getBlockByNumber', [numberToHex(number), true], { isFresh: true })
		.catch(nullIfRefused);
	if (block === null) return { transactions: [], count: 0, isWhole: false };
	if (!isRecord(block) || parseBlockNumber(block.number) !== number)
		throw invalidResponseError(`block ${number}`, block);
	const all = findOwnTransactions(block.transactions, account);
	const own = all.filter(({ nonce }) => nonce >= first && nonce < end);
	const time = parseBlockNumber(block.timestamp) * 1000;
	return {
		transactions: own.map((one) => ({ ...one, time })),
		count: Array.isArray(block.transactions) ? block.transactions.length : 0,
		isWhole: BigInt(new Set(own.map(({ nonce }) => nonce)).size) === end - first,
	};
}

async function readPayments(
	reader: RpcCaller,
	account: string,
	{ tokens, ...transaction }: MinedTransaction & { readonly tokens: ReadonlySet<string> },
): Promise<MadePayment[]> {
	const paid = findPaid(transaction, tokens);
	if (paid.length === 0) return [];
	const { hash, time } = transaction;
	const answer = await reader.call('eth_getTransactionReceipt', [hash], { isFresh: true });
	const receipt = parseReceipt(answer);
	if (receipt && quantityToDecimal(receipt.status) === '0') return [];
	return paid
		.filter(({ token }) => token === null || hasMoved(receipt, account, token))
		.map((one) => ({ ...one, time }));
}

const parseReceipt = objectOrNullParser('a receipt');

/**
 * Whether the receipt shows that the token has moved, because some tokens refuse without reverting. The amount may differ
 * by a fee.
 */
function hasMoved(receipt: JsonObject | null, account: string, token: string): boolean {
	// Without a receipt yet, the payment counts as moved.
	if (!receipt) return true;
	return listMovedTokens(receipt).some((moved) => moved.token === token && moved.from === account);
}
