import type { RpcCaller } from '../core/chain/reader';
import type { JsonObject } from '../core/values/json';
import { NodeLagging } from '../core/errors/nodeLagging';
import { readFirstRecent, MAX_INDEX_LAG } from '../core/evm/blocks';
import { numberToHex } from '../core/values/numbers';
import { objectOrNullParser, formatTrace } from '../core/evm/chainObjects';
import { collectPages } from '../core/protocols/rpc/pages';
import {
	getBlockNumber,
	sortTraces,
	readTraces,
	getTransactionHash,
	mergeTraces,
} from '../core/evm/traces';
import { splitRange, type BlockRange, type Head } from '../core/chain/blocks';
import { isRecord } from '../core/values/parse';
import type { PollSource } from './pollSource';

/** The sender or the recipient of a trace. */
type Side = 'from' | 'to';

/**
 * Searches the calls and transfers of the given addresses. Senders and recipients are searched separately, because
 * nodes differ in how they combine the two filters. The results are filtered again, because not every node applies
 * the filter. For recent blocks, the search also asks for a probe transaction: an answer without it comes from a
 * node that has not traced these blocks yet.
 */
export function createTraceSearch(
	addresses: readonly string[],
	direction: 'any' | Side,
	{ blocks, traces }: Pick<PollSource, 'blocks' | 'traces'>,
) {
	const sides: readonly Side[] = direction === 'any' ? ['from', 'to'] : [direction];
	const watched = new Set(addresses.map((address) => address.toLowerCase()));

	async function searchSide(one: Side, { from, to }: BlockRange, probe?: ProbeTransaction) {
		const parties = [...new Set([...addresses, ...(probe?.[one] ? [probe[one]] : [])])];
		const filter = {
			fromBlock: numberToHex(from),
			toBlock: numberToHex(to),
			[`${one}Address`]: parties,
		};
		const found = await collectPages(readTraces(traces, filter));
		if (probe?.[one] && !found.some(isOfTransaction(probe))) {
			throw new NodeLagging(probe.block, 'with all its traces');
		}
		return found.filter(
			(trace) =>
				getBlockNumber(trace) >= from &&
				getBlockNumber(trace) <= to &&
				hasParty(trace, one, watched),
		);
	}

	async function search(range: BlockRange, probe?: ProbeTransaction): Promise<JsonObject[]> {
		return sortTraces(
			mergeTraces(await Promise.all(sides.map(async (one) => await searchSide(one, range, probe)))),
		);
	}

	return async ({ from, to }: BlockRange, head: Head): Promise<readonly JsonObject[]> => {
		const firstRecent = await readFirstRecent(blocks, { from, to }, head);
		const old = splitRange(from, firstRecent - 1).map(async (range) => await search(range));
		const range = { from: firstRecent, to };
		const recent =
			firstRecent > to
				? []
				: [readProbeTransaction(blocks, range).then(async (one) => await search(range, one))];
		return (await Promise.all([...old, ...recent])).flat();
	};
}

/** Tells whether the given side of a trace is in the set of addresses, which are in lower case. */
function hasParty(trace: JsonObject, side: Side, addresses: ReadonlySet<string>): boolean {
	return addresses.has(String(formatTrace(trace)[side]).toLowerCase());
}

/** A known transaction that shows whether a node has traced the latest blocks: its traces must be in the answer. */
interface ProbeTransaction {
	readonly block: number;
	readonly hash: string;
	readonly from: string;
	readonly to?: string;
}

/**
 * Finds a transaction by which the node's traces can be checked, in the last block of the range that has one. Returns undefined if no block
 * has one.
 */
async function readProbeTransaction(
	reader: RpcCaller,
	{ from, to }: BlockRange,
): Promise<ProbeTransaction | undefined> {
	const last = await readCandidate(reader, to);
	if (last || from === to) return last;
	for (let end = to - 1; end >= from; end -= MAX_INDEX_LAG.blocks) {
		const count = Math.min(MAX_INDEX_LAG.blocks, end - from + 1);
		const numbers = Array.from({ length: count }, (_, index) => end - index);
		const others = await Promise.all(
			numbers.map(async (number) => await readCandidate(reader, number)),
		);
		const found = others.find((one) => one !== undefined);
		if (found) return found;
	}
	return undefined;
}

/** Creates a check that a trace is of the transaction. A trace without a hash only needs to be of the same block. */
function isOfTransaction({ block, hash }: ProbeTransaction) {
	return (trace: JsonObject): boolean =>
		getBlockNumber(trace) === block && [hash, ''].includes(getTransactionHash(trace));
}

async function readCandidate(
	reader: RpcCaller,
	number: number,
): Promise<ProbeTransaction | undefined> {
	const block = objectOrNullParser('a block')(
		await reader.call('eth_getBlockByNumber', [numberToHex(number), true]),
	);
	if (!block) throw new NodeLagging(number);
	const all = Array.isArray(block.transactions) ? (block.transactions as unknown[]) : [];
	const whole = all.filter(isRecord).filter(isComplete);
	// Transactions that the chain itself makes have a gas price of 0, and not every node traces them. They are taken only if there are no
	// others.
	const paid = whole.filter(({ gasPrice }) => gasPrice !== '0x0');
	const transactions = paid.length > 0 ? paid : whole;
	const chosen = findLeastCrowded(transactions) ?? transactions.at(-1);
	if (!chosen) return undefined;
	const { hash, from, to } = chosen;
	const recipient = to ?? (await readCreatedContract(chosen, reader));
	return {
		block: number,
		hash: String(hash).toLowerCase(),
		from: String(from),
		...(typeof recipient === 'string' && { to: recipient }),
	};
}

function isComplete({ hash, from }: JsonObject): boolean {
	return typeof hash === 'string' && typeof from === 'string';
}

/**
 * Takes the last transaction whose recipient received the fewest transactions in the block, because a search for
 * this recipient returns all of them.
 */
function findLeastCrowded(transactions: readonly JsonObject[]): JsonObject | undefined {
	const counts = new Map<unknown, number>();
	for (const { to } of transactions) counts.set(to, (counts.get(to) ?? 0) + 1);
	const sent = transactions.filter(({ to }) => typeof to === 'string');
	const fewest = sent.reduce((least, { to }) => Math.min(least, counts.get(to) ?? 0), Infinity);
	return [...sent].reverse().find(({ to }) => counts.get(to) === fewest);
}

/** Reads the address of the contract that a transaction created. */
async function readCreatedContract({ hash }: JsonObject, reader: RpcCaller): Promise<unknown> {
	const receipt = objectOrNullParser('a receipt')(
		await reader.call('eth_getTransactionReceipt', [hash]),
	);
	return receipt?.status === '0x1' ? receipt.contractAddress : undefined;
}
