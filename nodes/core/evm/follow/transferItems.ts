import { rethrow } from '../../values/parse';
import { decodeNftTransfers } from '../nftTransfers';
import type { KnownTokens } from '../../chain/tokens';
import { readTokenInfos, tokenFacts } from '../tokens';
import { formatTransfer, decodeTransfer } from '../transfers';
import { RequestFailure } from '../../errors/requestFailure';
import type { RpcReader } from '../../chain/reader';
import { createFaultyTokens } from './faultyTokens';
import type { FormatLogs } from './views';

/** A trigger lives long, and anyone can make a token. */
const MAX_KNOWN_TOKENS = 1_000;

/** Logs as transfers of tokens, with what the tokens say of themselves: each is asked once. */
export const formatTransfers: FormatLogs = async (logs, timeOf, chain) => {
	const known = tokenFacts.getKnown(chain);
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

async function isNodeAnswering({ call }: RpcReader): Promise<boolean> {
	try {
		await call('eth_chainId', []);
		return true;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : rethrow(failure);
	}
}

/** What a token did not say may have been the node's fault: it is asked again with its next transfer. */
function forgetIncomplete(known: KnownTokens<string>): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MAX_KNOWN_TOKENS) known.delete(token);
	}
}
