import {
	blockAt,
	headerAt,
	headersBetween,
	heightOf,
	ReorgDuringRead,
	type BlockRef,
	type Header,
} from '../chain/blocks';
import { distinctLogs, type LogFilter } from '../chain/logs';
import { asDate, type ChainObject } from '../chain/objects';
import { nftTransfersIn } from '../chain/nftTransfers';
import { knownTokens, readFacts, type KnownTokens } from '../chain/tokens';
import { simpleTransfer, transferIn } from '../chain/transfers';
import { isRefusal, RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../rpc/chain';
import type { LiveView } from './advance';
import { CHECKPOINTS_KEPT, type ChainEvent } from './position';
import { ProvenLogs } from './provenLogs';

/** Every block, in the form that is emitted. */
export function blockView(chain: ChainReader, form: (block: ChainObject) => ChainObject): LiveView {
	const asEvent = (block: Header): ChainEvent => ({ block, json: form(block.json) });
	return {
		emitsRemovals: false,
		blockRef: async (number) => await headerAt(chain, number),
		events: async ({ from, to }) => (await headersBetween(chain, from, to)).map(asEvent),
		eventsIn: async (header) => [asEvent(header)],
	};
}

/** The chain's blocks at the heights of these. What happened may have been read on another branch than they are on. */
export async function onChain(
	chain: ChainReader,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(numbers.map(async (number) => await blockAt(chain, number)));
	const found = new Map(headers.map((header) => [header.number, header]));
	const stray = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (stray) throw new ReorgDuringRead(stray.number);
	return found;
}

/** Which logs are followed, and what they look like. */
interface LogChoice {
	/** A log that one of these lets through is followed. */
	readonly filters: readonly LogFilter[];
	/** What is emitted of each log: mostly one thing, nothing of one that is left out. */
	readonly form: LogForm;
	/** Whether the form tells the time of the block. */
	readonly isTimed: boolean;
	/** Hears of a block whose logs may be missing for good. */
	readonly doubt: (block: number) => void;
}

export type LogForm = (
	logs: readonly ChainObject[],
	timeOf: (log: ChainObject) => string | null,
	chain: ChainReader,
) => Promise<ReadonlyArray<readonly ChainObject[]>>;

/** The logs that filters let through. Asked for by block: a subscription would lose those of an outage. */
export function logView(
	chain: ChainReader,
	{ filters, form, isTimed, doubt }: LogChoice,
): LiveView {
	const searches = filters.map((filter) => new ProvenLogs(chain, filter, doubt));
	const found = async (search: (logs: ProvenLogs) => Promise<readonly ChainObject[]>) =>
		distinctLogs((await Promise.all(searches.map(search))).flat());

	async function asEvents(logs: readonly ChainObject[], headers: ReadonlyMap<number, Header>) {
		const timeOf = (log: ChainObject) => timeIn(log) ?? timeIn(headers.get(blockOf(log))?.json);
		const forms = await form(logs, timeOf, chain);
		return logs.flatMap((log, index) => {
			const block = placeOf(log);
			return (forms[index] ?? []).map((json): ChainEvent => ({ block, json }));
		});
	}

	return {
		emitsRemovals: true,
		blockRef: async (number) => await headerAt(chain, number),
		events: async (range, head) => {
			const logs = await found(async (one) => await one.between(range, head));
			const young = logs.filter((log) => blockOf(log) > head.number - CHECKPOINTS_KEPT);
			const timeless = isTimed ? logs.filter((log) => timeIn(log) === null) : [];
			return await asEvents(logs, await onChain(chain, [...young, ...timeless].map(placeOf)));
		},
		eventsIn: async (header) => {
			const logs = await found(async (one) => await one.inBlock(header));
			return await asEvents(logs, new Map([[header.number, header]]));
		},
	};
}

function blockOf({ blockNumber }: ChainObject): number {
	return heightOf(blockNumber);
}

function placeOf(log: ChainObject) {
	return { number: blockOf(log), hash: String(log.blockHash).toLowerCase() };
}

/** Of a block, or of the block that newer nodes tell with each log. */
function timeIn({ timestamp, blockTimestamp }: ChainObject = {}): string | null {
	return asDate(blockTimestamp ?? timestamp);
}

/** A trigger lives long, and anyone can make a token. */
const MOST_KNOWN = 1_000;

/** Logs as transfers of tokens, with what the tokens tell of themselves: asked once each. */
export function transferForm(): LogForm {
	const faulty = new FaultyTokens();
	return async (logs, timeOf, chain) => {
		const known = chain.memory(knownTokens);
		const transfers = logs.map((log) => transferIn(log) ?? null);
		const tokens = new Set(transfers.flatMap((one) => one?.token.toLowerCase() ?? []));
		await faulty.askAll(
			[...tokens].filter((token) => !known.has(token)),
			{
				ask: async (some) => void (await readFacts(chain, some)),
				isThere: async () => await answers(chain),
			},
		);
		const factsOf = await readFacts(chain, []);
		const simple = transfers.map((one) =>
			one ? [{ ...simpleTransfer(one, factsOf(one.token)), timestamp: timeOf(one.log) }] : [],
		);
		forget(known);
		return simple;
	};
}

/** Logs as transfers of NFTs. */
export const nftTransferForm: LogForm = async (logs, timeOf) =>
	await Promise.resolve(
		logs.map((log) => {
			const timestamp = timeOf(log);
			return nftTransfersIn(log).map((transfer) => ({ ...transfer, timestamp }));
		}),
	);

async function answers({ call }: ChainReader): Promise<boolean> {
	try {
		await call('eth_chainId', []);
		return true;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : await Promise.reject(failure);
	}
}

/** What a token did not tell may have been the node's fault: it is asked again with its next transfer. */
function forget(known: KnownTokens): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MOST_KNOWN) known.delete(token);
	}
}

/** A token made to do harm may answer with megabytes: only so many are asked at a time. */
const AT_ONCE = 5;
const ATTEMPTS = 3;
const MOST_REMEMBERED = 1_000;

interface Asking {
	/** Asks some tokens. */
	ask(tokens: readonly string[]): Promise<void>;
	/** Whether the node answers when no token is involved. */
	isThere(): Promise<boolean>;
}

/**
 * Reads the facts of tokens. The code of one may keep a node, or a gateway, busy until it times out: such a token comes
 * without facts, and holds up no other.
 */
export class FaultyTokens {
	/** How often the node was gone when it was asked about a token. */
	private readonly failures = new Map<string, number>();

	async askAll(tokens: readonly string[], { ask, isThere }: Asking): Promise<void> {
		let groups = this.apart(tokens);
		let failed = 0;
		for (let group = groups.shift(); group && failed < ATTEMPTS; group = groups.shift()) {
			const failure = await failureOf(ask(group));
			if (!failure) this.clear(group);
			else if (!(await isThere())) return await this.blame(group, failure);
			else if (group.length === 1) failed++;
			else groups = [...group.map((one) => [one]), ...groups];
		}
	}

	/** Those under suspicion each alone and last, and not too often. */
	private apart(tokens: readonly string[]): string[][] {
		const others = tokens.filter((one) => !this.failures.has(one));
		const suspects = tokens.filter((one) => (this.failures.get(one) ?? ATTEMPTS) < ATTEMPTS);
		const groups: string[][] = [];
		for (let at = 0; at < others.length; at += AT_ONCE) groups.push(others.slice(at, at + AT_ONCE));
		return [...groups, ...suspects.map((one) => [one])];
	}

	private clear(tokens: readonly string[]): void {
		for (const token of tokens) this.failures.delete(token);
	}

	private async blame(tokens: readonly string[], failure: RequestFailure): Promise<never> {
		if (this.failures.size > MOST_REMEMBERED) this.failures.clear();
		for (const token of tokens) this.failures.set(token, (this.failures.get(token) ?? 0) + 1);
		return await Promise.reject(failure);
	}
}

/** What failed, if it may be the fault of a token: neither a limit is, nor that the node refuses to ask it. */
async function failureOf(work: Promise<void>): Promise<RequestFailure | undefined> {
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
