import { rethrow } from '../../values/parse';
import { decodeNftTransfers } from '../nftTransfers';
import { createKeyMaker, type LeastAmount } from '../../chain/payment';
import type { KnownTokens } from '../../chain/tokens';
import { readTokenFacts, tokenReader } from '../tokens';
import { formatTransfer, decodeTransfer, makeTransferKey } from '../transfers';
import { RequestFailure } from '../../errors/requestFailure';
import type { RpcReader } from '../../chain/reader';
import { FAULTY_TOKENS } from './faultyTokens';
import type { FormatLogs } from './views';

/** Limits how many tokens a trigger remembers, because it runs for long, and anyone can make tokens. */
const MAX_KNOWN_TOKENS = 1_000;

/** Formats logs as transfers of tokens that are large enough, with the facts of the tokens. Each token is asked once. */
export function createTransferFormatter(least: LeastAmount): FormatLogs {
	return async (logs, timeOf, reader) => {
		const transfers = logs.map((log) => decodeTransfer(log) ?? null);
		const factsOf = await readFactsInTime(
			reader,
			transfers.flatMap((one) => one?.token ?? []),
		);
		const makeKey = createKeyMaker();
		return transfers.map((one) => {
			if (!one) return [];
			const facts = factsOf(one.token);
			const key = makeTransferKey(one, makeKey);
			const isWanted = least.isReached(BigInt(one.value), facts);
			return isWanted ? [formatTransfer(one, facts, { key, timestamp: timeOf(one.log) })] : [];
		});
	};
}

async function readFactsInTime(reader: RpcReader, tokens: readonly string[]) {
	const known = tokenReader.getKnown(reader);
	const unknown = new Set(
		tokens.map((token) => token.toLowerCase()).filter((one) => !known.has(one)),
	);
	await reader.shared(FAULTY_TOKENS).readAll([...unknown], {
		read: async (some) => void (await readTokenFacts(reader, some)),
		isNodeThere: async () => await isNodeAnswering(reader),
	});
	const factsOf = await readTokenFacts(reader, []);
	const facts = new Map(tokens.map((token) => [token, factsOf(token)]));
	forgetIncomplete(known);
	return (token: string) => facts.get(token) ?? factsOf(token);
}

/** Logs as transfers of NFTs. */
export const formatNftTransfers: FormatLogs = async (logs, timeOf) =>
	await Promise.resolve(
		logs.map((log) => {
			const timestamp = timeOf(log);
			return decodeNftTransfers(log).map((transfer) => ({ ...transfer, timestamp }));
		}),
	);

async function isNodeAnswering({ call }: RpcReader): Promise<boolean> {
	try {
		await call('eth_chainId', []);
		return true;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : rethrow(failure);
	}
}

/**
 * Forgets tokens that gave no symbol or decimals. The node may be the cause, so they are asked again with the next
 * transfer.
 */
function forgetIncomplete(known: KnownTokens<string>): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MAX_KNOWN_TOKENS) known.delete(token);
	}
}
