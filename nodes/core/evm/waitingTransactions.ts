import { nullIfRefused } from '../chain/blocks';
import type { RpcCaller } from '../chain/reader';
import { isRecord } from '../values/parse';
import { quantityParser } from './chainObjects';
import { findOwnTransactions, type OwnTransaction } from './ownTransactions';

interface WaitingTransactions {
	readonly transactions: readonly OwnTransaction[];
	/** Whether the node shows all transactions that it counts. */
	readonly areAll: boolean;
}

/** Reads the pending transactions of an account, as far as the node shows them. */
export async function readWaitingTransactions(
	chain: RpcCaller,
	account: string,
): Promise<WaitingTransactions> {
	const [mined, counted] = await Promise.all([
		readCount(chain, account, 'latest'),
		readCount(chain, account, 'pending').catch(nullIfRefused),
	]);
	if (counted !== null && counted <= mined) return { transactions: [], areAll: true };
	const wanted = counted === null ? 0n : counted - mined;
	let transactions: readonly OwnTransaction[] = [];
	for (const read of [readPendingBlock, readPool]) {
		const found = await read(chain, account);
		transactions = distinct([...transactions, ...found]).filter(({ nonce }) => nonce >= mined);
		const nonces = new Set(transactions.map(({ nonce }) => nonce));
		if (BigInt(nonces.size) >= wanted) return { transactions, areAll: true };
	}
	return { transactions, areAll: false };
}

function distinct(transactions: readonly OwnTransaction[]): OwnTransaction[] {
	return [...new Map(transactions.map((one) => [one.hash, one])).values()];
}

async function readCount(chain: RpcCaller, account: string, block: string): Promise<bigint> {
	const answer = await chain.call('eth_getTransactionCount', [account, block], { isFresh: true });
	return quantityParser('a transaction count')(answer);
}

/** Many nodes have no pending block, or give the latest block instead. */
async function readPendingBlock(chain: RpcCaller, account: string): Promise<OwnTransaction[]> {
	const block = await chain
		.call('eth_getBlockByNumber', ['pending', true], { isFresh: true })
		.catch(nullIfRefused);
	return findOwnTransactions(isRecord(block) ? block.transactions : [], account);
}

/** A transaction that is too cheap for the next block is only in the pool, which few nodes show. */
async function readPool(chain: RpcCaller, account: string): Promise<OwnTransaction[]> {
	const pool = await chain
		.call('txpool_contentFrom', [account], { isFresh: true })
		.catch(nullIfRefused);
	const { pending, queued } = isRecord(pool) ? pool : {};
	const lists = [pending, queued].filter(isRecord).map((byNonce) => Object.values(byNonce));
	return findOwnTransactions(lists.flat(), account);
}
