import { throwAgain } from '../values/parse';
import { decodeNftTransfers } from '../evm/nftTransfers';
import { createTokenInfoCache, readTokenInfos, type TokenInfoCache } from '../evm/tokens';
import { formatTransfer, decodeTransfer } from '../evm/transfers';
import { isRefusal, RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../transport/rpc/chain';
import type { FormatLogs } from './views';

/** A trigger lives long, and anyone can make a token. */
const MAX_KNOWN_TOKENS = 1_000;

/** Logs as transfers of tokens, with what the tokens say of themselves: each is asked once. */
export const formatTransfers: FormatLogs = async (logs, timeOf, chain) => {
	const known = chain.shared(createTokenInfoCache);
	const transfers = logs.map((log) => decodeTransfer(log) ?? null);
	const tokens = new Set(transfers.flatMap((one) => one?.token.toLowerCase() ?? []));
	await chain.shared(createFaultyTokens).readAll(
		[...tokens].filter((token) => !known.has(token)),
		{
			read: async (some) => void (await readTokenInfos(chain, some)),
			isNodeThere: async () => await isNodeAnswering(chain),
		},
	);
	const infoOf = await readTokenInfos(chain, []);
	const items = transfers.map((one) =>
		one ? [{ ...formatTransfer(one, infoOf(one.token)), timestamp: timeOf(one.log) }] : [],
	);
	forgetIncomplete(known);
	return items;
};

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
		return failure instanceof RequestFailure ? false : throwAgain(failure);
	}
}

/** What a token did not say may have been the node's fault: it is asked again with its next transfer. */
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
	/** Reads the facts of some tokens. */
	read(tokens: readonly string[]): Promise<void>;
	/** Whether the node answers when no token is involved. */
	isNodeThere(): Promise<boolean>;
}

const createFaultyTokens = () => new FaultyTokens();

/**
 * Reads the facts of tokens. The code of one may keep a node, or a gateway, busy until it times out: such a token comes
 * without facts, and holds up no other.
 */
export class FaultyTokens {
	/** How often the node was gone when it was asked about a token. */
	private readonly failures = new Map<string, number>();

	async readAll(tokens: readonly string[], { read, isNodeThere }: TokenReading): Promise<void> {
		let groups = this.groupTokens(tokens);
		let failed = 0;
		for (let group = groups.shift(); group && failed < MAX_TOKEN_ATTEMPTS; group = groups.shift()) {
			const failure = await catchSuspicious(read(group));
			if (!failure) this.forgive(group);
			else if (!(await isNodeThere())) return await this.throwAndBlame(group, failure);
			else if (group.length === 1) failed++;
			else groups = [...group.map((one) => [one]), ...groups];
		}
	}

	/** Tokens under suspicion are asked alone and last, and not too often. */
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
		return throwAgain(failure);
	}
}

/** Returns a failure that may be the fault of a token: neither a limit is, nor that the node refuses to ask it. */
async function catchSuspicious(work: Promise<void>): Promise<RequestFailure | undefined> {
	try {
		return void (await work);
	} catch (failure) {
		const isSuspicious =
			failure instanceof RequestFailure &&
			failure.retry?.because !== 'limit' &&
			(failure.maybeExecuted || !isRefusal(failure));
		return isSuspicious ? failure : throwAgain(failure);
	}
}
