import {
	readRequiredHeader,
	readHeader,
	readHeaders,
	parseBlockNumber,
	ReorgDuringRead,
	type BlockRef,
	type Header,
} from '../evm/blocks';
import { sortDistinctLogs, type LogFilter } from '../evm/logs';
import { quantityToIsoDate, type ChainObject } from '../evm/objects';
import { decodeNftTransfers } from '../evm/nftTransfers';
import { createTokenInfoCache, readTokenInfos, type TokenInfoCache } from '../evm/tokens';
import { formatTransfer, decodeTransfer } from '../evm/transfers';
import { isRefusal, RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../transport/rpc/chain';
import type { LiveView } from './advance';
import { MAX_CHECKPOINTS, type ChainEvent } from './cursor';
import { ProvenLogs } from './provenLogs';

/** Every block, in the form that is emitted. */
export function createBlockView(
	chain: ChainReader,
	format: (block: ChainObject) => ChainObject,
): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: format(block.json) });
	return {
		emitsRemovals: false,
		readBlockRef: async (number) => await readHeader(chain, number),
		readEvents: async ({ from, to }) => (await readHeaders(chain, from, to)).map(asEvent),
		readBlockEvents: async (header) => [asEvent(header)],
	};
}

/** The chain's blocks at the heights of these. What happened may have been read on another branch than they are on. */
export async function readCanonicalHeaders(
	chain: ChainReader,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(
		numbers.map(async (number) => await readRequiredHeader(chain, number)),
	);
	const found = new Map(headers.map((header) => [header.number, header]));
	const orphan = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (orphan) throw new ReorgDuringRead(orphan.number);
	return found;
}

/** Which logs are followed, and what they look like. */
interface LogViewOptions {
	/** A log that one of these lets through is followed. */
	readonly filters: readonly LogFilter[];
	/** What is emitted of each log: mostly one thing, nothing of one that is left out. */
	readonly format: FormatLogs;
	/** Whether the form tells the time of the block. */
	readonly isTimed: boolean;
	/** Hears of a block whose logs may be missing for good. */
	readonly reportDoubt: (block: number) => void;
}

export type FormatLogs = (
	logs: readonly ChainObject[],
	timeOf: (log: ChainObject) => string | null,
	chain: ChainReader,
) => Promise<ReadonlyArray<readonly ChainObject[]>>;

/** The logs that filters let through. Asked for by block: a subscription would lose those of an outage. */
export function createLogView(
	chain: ChainReader,
	{ filters, format: form, isTimed, reportDoubt: doubt }: LogViewOptions,
): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(chain, filter, doubt));
	const found = async (search: (logs: ProvenLogs) => Promise<readonly ChainObject[]>) =>
		sortDistinctLogs((await Promise.all(searches.map(search))).flat());

	async function asEvents(logs: readonly ChainObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: ChainObject) =>
			getBlockTime(log) ?? getBlockTime(headers.get(getBlockNumber(log))?.json);
		const forms = await form(logs, timeOf, chain);
		return logs.flatMap((log, index) => {
			const block = getBlockRef(log);
			return (forms[index] ?? []).map((json): ChainEvent => ({ block, json }));
		});
	}

	return {
		emitsRemovals: true,
		readBlockRef: async (number) => await readHeader(chain, number),
		readEvents: async (range, head) => {
			const logs = await found(async (one) => await one.readBetween(range, head));
			const young = logs.filter((log) => getBlockNumber(log) > head.number - MAX_CHECKPOINTS);
			const timeless = isTimed ? logs.filter((log) => getBlockTime(log) === null) : [];
			return await asEvents(
				logs,
				await readCanonicalHeaders(chain, [...young, ...timeless].map(getBlockRef)),
			);
		},
		readBlockEvents: async (header) => {
			const logs = await found(async (one) => await one.readInBlock(header));
			return await asEvents(logs, new Map([[header.number, header]]));
		},
	};
}

function getBlockNumber({ blockNumber }: ChainObject): number {
	return parseBlockNumber(blockNumber);
}

function getBlockRef(log: ChainObject) {
	return { number: getBlockNumber(log), hash: String(log.blockHash).toLowerCase() };
}

/** Of a block, or of the block that newer nodes tell with each log. */
function getBlockTime({ timestamp, blockTimestamp }: ChainObject = {}): string | null {
	return quantityToIsoDate(blockTimestamp ?? timestamp);
}

/** A trigger lives long, and anyone can make a token. */
const MAX_KNOWN_TOKENS = 1_000;

/** Logs as transfers of tokens, with what the tokens tell of themselves: asked once each. */
export function createTransferFormatter(): FormatLogs {
	const faulty = new FaultyTokens();
	return async (logs, timeOf, chain) => {
		const known = chain.shared(createTokenInfoCache);
		const transfers = logs.map((log) => decodeTransfer(log) ?? null);
		const tokens = new Set(transfers.flatMap((one) => one?.token.toLowerCase() ?? []));
		await faulty.readAll(
			[...tokens].filter((token) => !known.has(token)),
			{
				read: async (some) => void (await readTokenInfos(chain, some)),
				isNodeThere: async () => await isNodeAnswering(chain),
			},
		);
		const factsOf = await readTokenInfos(chain, []);
		const simple = transfers.map((one) =>
			one ? [{ ...formatTransfer(one, factsOf(one.token)), timestamp: timeOf(one.log) }] : [],
		);
		forgetIncomplete(known);
		return simple;
	};
}

/** Logs as transfers of NFTs. */
export const formatNftTransfers: FormatLogs = async (logs, timeOf) =>
	await Promise.resolve(
		logs.map((log) => {
			const timestamp = timeOf(log);
			return decodeNftTransfers(log).map((transfer) => ({ ...transfer, timestamp }));
		}),
	);

async function isNodeAnswering({ call }: ChainReader): Promise<boolean> {
	try {
		await call('eth_chainId', []);
		return true;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : await Promise.reject(failure);
	}
}

/** What a token did not tell may have been the node's fault: it is asked again with its next transfer. */
function forgetIncomplete(known: TokenInfoCache): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MAX_KNOWN_TOKENS) known.delete(token);
	}
}

/** A token made to do harm may answer with megabytes: only so many are asked at a time. */
const TOKENS_PER_GROUP = 5;
const MAX_TOKEN_ATTEMPTS = 3;
const MAX_FAULTY_TOKENS = 1_000;

interface TokenReading {
	/** Asks some tokens. */
	read(tokens: readonly string[]): Promise<void>;
	/** Whether the node answers when no token is involved. */
	isNodeThere(): Promise<boolean>;
}

/**
 * Reads the facts of tokens. The code of one may keep a node, or a gateway, busy until it times out: such a token comes
 * without facts, and holds up no other.
 */
export class FaultyTokens {
	/** How often the node was gone when it was asked about a token. */
	private readonly failures = new Map<string, number>();

	async readAll(
		tokens: readonly string[],
		{ read: ask, isNodeThere: isThere }: TokenReading,
	): Promise<void> {
		let groups = this.groupTokens(tokens);
		let failed = 0;
		for (let group = groups.shift(); group && failed < MAX_TOKEN_ATTEMPTS; group = groups.shift()) {
			const failure = await catchSuspicious(ask(group));
			if (!failure) this.forgive(group);
			else if (!(await isThere())) return await this.throwAndBlame(group, failure);
			else if (group.length === 1) failed++;
			else groups = [...group.map((one) => [one]), ...groups];
		}
	}

	/** Those under suspicion each alone and last, and not too often. */
	private groupTokens(tokens: readonly string[]): string[][] {
		const others = tokens.filter((one) => !this.failures.has(one));
		const suspects = tokens.filter(
			(one) => (this.failures.get(one) ?? MAX_TOKEN_ATTEMPTS) < MAX_TOKEN_ATTEMPTS,
		);
		const groups: string[][] = [];
		for (let at = 0; at < others.length; at += TOKENS_PER_GROUP)
			groups.push(others.slice(at, at + TOKENS_PER_GROUP));
		return [...groups, ...suspects.map((one) => [one])];
	}

	private forgive(tokens: readonly string[]): void {
		for (const token of tokens) this.failures.delete(token);
	}

	private async throwAndBlame(tokens: readonly string[], failure: RequestFailure): Promise<never> {
		if (this.failures.size > MAX_FAULTY_TOKENS) this.failures.clear();
		for (const token of tokens) this.failures.set(token, (this.failures.get(token) ?? 0) + 1);
		return await Promise.reject(failure);
	}
}

/** What failed, if it may be the fault of a token: neither a limit is, nor that the node refuses to ask it. */
async function catchSuspicious(work: Promise<void>): Promise<RequestFailure | undefined> {
	try {
		return void (await work);
	} catch (failure) {
		const isSuspicious =
			failure instanceof RequestFailure &&
			failure.retry?.because !== 'limit' &&
			(failure.maybeExecuted || !isRefusal(failure));
		return isSuspicious ? failure : await Promise.reject(failure);
	}
}
