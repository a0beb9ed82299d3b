import type { RestReader } from '../chain/reader';
import type { BlockRange, BlockRef } from '../chain/blocks';
import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isRecord, rethrow } from '../values/parse';
import { parseHashPart, parseNumberPart } from './blockParts';
import {
	isEmptyAnswer,
	parseChecked,
	readNextBlocks,
	type BareBlock,
	type BlockHeader,
	type ReadPart,
} from './blocks';
import {
	parseTransactionOutcome,
	type BlockLog,
	type CoinTransfer,
	type ListedTransaction,
	type TransactionOutcome,
} from './blockTransactions';
import { callIrreversible } from './reader';

/** A block, and the outcomes of its transactions in their order. */
export interface Block extends BlockHeader {
	readonly transactions: readonly BlockTransaction[];
}

export function formatBlockTime({ timestamp }: BlockHeader): string {
	return new Date(timestamp).toISOString();
}

export interface BlockTransaction {
	readonly id: string;
	/** The memo in hex. */
	readonly memo: string;
	/**
	 * The coins that moved. The coins of the transaction itself come first. The list is empty if the transaction
	 * failed.
	 */
	readonly transfers: readonly CoinTransfer[];
	readonly logs: readonly BlockLog[];
}

/**
 * Reads irreversible blocks in order, several at a time. Each block must follow the previous block. If the node has no more blocks or
 * contradicts itself, the blocks read until then are given before the failure is thrown.
 */
export async function* readBlocks(
	reader: RestReader,
	{ from, to }: BlockRange,
	before?: BlockRef,
): AsyncGenerator<readonly Block[]> {
	if (from > to) return;
	let reading = startReading(reader, { from, to }, before);
	for (let last = before; ; ) {
		const { blocks: bare, failure } = await reading;
		last = bare.at(-1) ?? last;
		const next = last && bare.length > 0 ? last.number + 1 : to + 1;
		const hasMore = failure === undefined && next <= to;
		// The next blocks are requested while the outcomes of the present blocks are read.
		if (hasMore) reading = startReading(reader, { from: next, to }, last);
		const { blocks, failure: outcomeFailure } = await addOutcomes(reader, bare);
		if (blocks.length > 0) yield blocks;
		const ended = outcomeFailure ?? failure;
		if (ended !== undefined) return rethrow(ended);
		if (!hasMore) return;
	}
}

/**
 * Starts reading the next blocks. A failure is returned and not thrown, because it may come before anything awaits
 * the promise.
 */
async function startReading(
	reader: RestReader,
	range: BlockRange,
	before: BlockRef | undefined,
): Promise<ReadPart<BareBlock>> {
	return await readNextBlocks(reader, range, before).catch((failure: unknown) => ({
		blocks: [],
		failure,
	}));
}

async function addOutcomes(
	reader: RestReader,
	bare: readonly BareBlock[],
): Promise<ReadPart<Block>> {
	const reads = bare.map(async (block) => await readOutcomes(reader, block));
	for (const one of reads) one.catch(() => {});
	const blocks: Block[] = [];
	try {
		for (const one of reads) blocks.push(await one);
	} catch (failure) {
		return { blocks, failure };
	}
	return { blocks };
}

async function readOutcomes(reader: RestReader, block: BareBlock): Promise<Block> {
	const { number, transactions } = block;
	if (transactions.length === 0) return { ...block, transactions: [] };
	const body = { num: number, visible: false };
	const answer = await callIrreversible(reader, 'gettransactioninfobyblocknum', body);
	if (isEmptyAnswer(answer)) throw new NodeLagging(number, RECEIPTS);
	if (!Array.isArray(answer)) throw invalidResponseError(`the receipts of block ${number}`, answer);
	const outcomes = parseChecked(answer as unknown[], `the receipts of block ${number}`, () =>
		parseOutcomes(answer as unknown[], number),
	);
	checkListed(outcomes, block);
	return { ...block, transactions: joinOutcomes(transactions, outcomes, number) };
}

/** A node may have a block, but not yet the receipts of its transactions. */
const RECEIPTS = 'with the receipts of all its transactions';

function parseOutcomes(infos: readonly unknown[], number: number) {
	const outcomes = new Map<string, TransactionOutcome>();
	for (const info of infos) {
		if (!isRecord(info)) throw invalidResponseError(`the receipts of block ${number}`, infos);
		const id = parseHashPart(info.id, 'id');
		const at = parseNumberPart(info.blockNumber, 'blockNumber');
		if (at !== number) {
			throw new RequestFailure(
				`The chain node was asked for the receipts of block ${number}, and gave a receipt of block ${at}`,
				{
					description: `The receipt belongs to transaction ${id}. If the message stays, use another chain node.`,
				},
			);
		}
		outcomes.set(id, parseTransactionOutcome(info));
	}
	return outcomes;
}

/** Throws if the transactions of a block and the receipts do not match. */
function checkListed(outcomes: ReadonlyMap<string, unknown>, block: BareBlock): void {
	const listed = new Set(block.transactions.map(({ id }) => id));
	const foreign = [...outcomes.keys()].find((id) => !listed.has(id));
	if (listed.size < block.transactions.length || foreign !== undefined) {
		throw new RequestFailure(
			`The chain node gave receipts (results) that do not match the transactions of block ${block.number}`,
			{
				description: `${foreign === undefined ? 'The block has a transaction twice.' : `Transaction ${foreign} has a receipt, but is not in the block.`} If the message stays, use another chain node.`,
			},
		);
	}
}

/**
 * Joins transactions and their outcomes. Throws if a receipt is missing, because a node that is behind gives fewer
 * receipts or none.
 */
function joinOutcomes(
	listed: readonly ListedTransaction[],
	outcomes: ReadonlyMap<string, TransactionOutcome>,
	number: number,
): readonly BlockTransaction[] {
	let logIndex = 0;
	return listed.map((transaction) => {
		const outcome = outcomes.get(transaction.id);
		if (!outcome) throw new NodeLagging(number, RECEIPTS);
		const { id, memo } = transaction;
		if (transaction.hasFailed || outcome.hasFailed) return { id, memo, transfers: [], logs: [] };
		return {
			id,
			memo,
			transfers: [...findOwnTransfer(transaction, outcome), ...outcome.transfers],
			logs: outcome.logs.map((log) => ({ ...log, logIndex: logIndex++ })),
		};
	});
}

function findOwnTransfer(
	{ coins }: ListedTransaction,
	{ createdContract }: TransactionOutcome,
): readonly CoinTransfer[] {
	const to = coins?.to ?? createdContract;
	return coins && to !== undefined ? [{ ...coins, to }] : [];
}
