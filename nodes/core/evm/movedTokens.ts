import { countBlocks, nullIfRefused, type BlockRange } from '../chain/blocks';
import type { MadePayment } from '../chain/ownPayment';
import { findRangeRefusal } from '../chain/rangeRefusal';
import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { findLargest, numberToHex } from '../values/numbers';
import { rethrow } from '../values/parse';
import type { JsonObject } from '../values/json';
import { readBlockTimes } from './blockTimes';
import { buildFilterParams, parseLogs, sortDistinctLogs } from './logs';
import { buildTransferFilters, decodeTransfer } from './transfers';
import { parseBlockNumber } from './blocks';

interface MovedTokens {
	readonly payments: readonly MadePayment[];
	/** The last block whose transfers may be missing here. All transfers in later blocks are known. */
	readonly after: number;
}

interface Wanted {
	readonly range: BlockRange;
	readonly tokens: ReadonlySet<string>;
}

/** Limits how many transfers are read. For an account with more transfers, the newest are read. */
const MAX_TRANSFERS = 500;

/** Reads how much of these tokens was moved from an account by any caller, from their logs in a range of blocks. */
export async function readMovedTokens(
	reader: RpcReader,
	account: string,
	{ range, tokens }: Wanted,
): Promise<MovedTokens> {
	if (tokens.size === 0 || range.from > range.to) return { payments: [], after: range.from - 1 };
	const { logs: all, after: known } = await searchBack(reader, account, { range, tokens });
	const logs = sortDistinctLogs(all);
	const kept = logs.slice(-MAX_TRANSFERS);
	const dropped = logs.at(-MAX_TRANSFERS - 1);
	const timeOf = await readBlockTimes(reader, kept);
	const payments = kept.flatMap((log) => {
		const time = timeOf(log);
		return formatPayment(log, account, tokens, time === null ? Date.now() : Date.parse(time));
	});
	const after = dropped ? parseBlockNumber(dropped.blockNumber) : 0;
	return { payments, after: Math.max(known, after) };
}

/**
 * Formats the log of a transfer as a payment. Logs of other accounts or tokens are left out, because a node may ignore a
 * filter.
 */
function formatPayment(
	log: JsonObject,
	account: string,
	tokens: ReadonlySet<string>,
	time: number,
): MadePayment[] {
	const moved = decodeTransfer(log);
	const token = moved?.token.toLowerCase() ?? '';
	if (moved?.from.toLowerCase() !== account || !tokens.has(token)) return [];
	const hash = String(log.transactionHash).toLowerCase();
	const to = moved.to.toLowerCase();
	return [{ to, token, value: BigInt(moved.value), comment: null, hash, time }];
}

/** Limits the number of searches at a node that allows only few blocks in one search. The newest blocks are searched. */
const MAX_SEARCHES = 100;

/** Searches the range in one request, and in parts if the node refuses. */
async function searchBack(reader: RpcReader, account: string, { range, tokens }: Wanted) {
	const logs: JsonObject[] = [];
	let after = range.from - 1;
	let left = MAX_SEARCHES;
	for (let open = [range]; open.length > 0; ) {
		const asked = open.slice(0, left);
		left -= asked.length;
		const outcomes = await Promise.all(
			asked.map(async (part) => await search(reader, account, { range: part, tokens })),
		);
		for (const log of outcomes.flatMap((one) => one.logs)) logs.push(log);
		const unread = [open[asked.length], ...outcomes.map(({ lost }) => lost)];
		after = findLargest([after, ...unread.map((part) => part?.to ?? 0)]);
		open = outcomes.flatMap(({ parts }) => parts);
	}
	return { logs, after };
}

interface Searched {
	readonly logs: readonly JsonObject[];
	/** The smaller ranges to search instead of the refused range, from the newest to the oldest. */
	readonly parts: readonly BlockRange[];
	/** The range that the node refuses to search. */
	readonly lost?: BlockRange;
}

async function search(
	reader: RpcReader,
	account: string,
	{ range, tokens }: Wanted,
): Promise<Searched> {
	const choice = { tokens: [...tokens], accounts: [account], direction: 'from' } as const;
	const ends = { fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) };
	const filters = buildTransferFilters(choice).map((filter) => buildFilterParams(filter));
	const request = [{ ...filters[0], ...ends }];
	try {
		const answer = await reader.call('eth_getLogs', request, { isFresh: true });
		return { logs: parseLogs(answer), parts: [] };
	} catch (failure) {
		return splitRefused(failure, range);
	}
}

function splitRefused(failure: unknown, range: BlockRange): Searched {
	const refusal = failure instanceof RequestFailure ? findRangeRefusal(failure, range) : undefined;
	const blocks = countBlocks(range);
	const isTooMuch = refusal?.because === 'blocks' || refusal?.because === 'contents';
	if (isTooMuch && blocks > 1) {
		const size = Math.max(1, Math.min(refusal.blocks ?? Infinity, Math.ceil(blocks / 2)));
		return { logs: [], parts: splitBack(range, size) };
	}
	if (refusal?.because === 'behind') return rethrow(failure);
	if (!isTooMuch) nullIfRefused(failure);
	return { logs: [], parts: [], lost: range };
}

function splitBack({ from, to }: BlockRange, size: number): BlockRange[] {
	return Array.from({ length: Math.ceil(countBlocks({ from, to }) / size) }, (_, index) => {
		const end = to - index * size;
		return { from: Math.max(from, end - size + 1), to: end };
	});
}
