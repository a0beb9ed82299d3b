import { formatPayment, type LeastAmount, type MakeKey } from '../chain/payment';
import type { TokenFacts } from '../chain/tokens';
import type { JsonObject } from '../values/json';
import type { RpcReader } from '../chain/reader';
import { abiParser } from './abi/abi';
import { decodeEventLog } from './abi/event';
import { checksumAddress } from './address';
import type { Chain } from '../protocols/rpc/operation';
import { searchLogs, type LogFilter } from './logs';
import { quantityToIsoDate, quantityToNumber, textOrNull } from './chainObjects';
import { readRange, type RangeEnds } from './ranges';
import { readRangeEnds, type RangeInput } from './rangeStart';
import { readTokenFacts } from './tokens';

const TRANSFER_EVENTS = abiParser('event')(
	'Transfer(address indexed from, address indexed to, uint256 value)',
).events;

/** Whose transfers are wanted. */
export interface Parties {
	/** Accounts that send or receive; an empty list means any. */
	readonly accounts: readonly string[];
	readonly direction: 'any' | 'from' | 'to';
}

/** Which transfers are wanted. */
interface TransferFilter extends Parties {
	/** The tokens that are searched; an empty list means any. */
	readonly tokens: readonly string[];
}

/** A token transfer, as the log of the token describes it. */
export interface Transfer {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly value: string;
	readonly log: JsonObject;
}

/**
 * Builds the filters that find token transfers. Senders and receivers need a filter each, because they are different
 * topics.
 */
export function buildTransferFilters({ tokens, accounts, direction }: TransferFilter): LogFilter[] {
	const topic = TRANSFER_EVENTS[0]?.topic ?? '';
	const sides = encodeAccountTopics({ accounts });
	const from = { addresses: tokens, topics: [topic, sides] };
	const to = { addresses: tokens, topics: [topic, null, sides] };
	if (accounts.length === 0) return [{ addresses: tokens, topics: [topic] }];
	return { any: [from, to], from: [from], to: [to] }[direction];
}

/** Encodes the accounts as topics. */
export function encodeAccountTopics({ accounts }: Pick<Parties, 'accounts'>): string[] {
	return accounts.map((account) => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`);
}

interface TransferSearch extends TransferFilter, RangeInput {
	readonly limit?: number;
}

/** Reads the token transfers in a range of blocks, each once, in the order of the chain. */
export async function* readTransfers(
	chain: Chain,
	wanted: TransferSearch,
): AsyncGenerator<readonly Transfer[]> {
	const filters = buildTransferFilters(wanted);
	const search = async function* ({ from, to }: RangeEnds) {
		const logs = await searchLogs(chain, filters, { fromBlock: from, toBlock: to });
		yield logs.flatMap((log) => decodeTransfer(log) ?? []);
	};
	const ends = await readRangeEnds(chain, wanted);
	yield* readRange(chain, search, ends, { wanted: wanted.limit });
}

/**
 * Formats transfers for the user, with the symbol and decimals of their tokens. Transfers below the least amount are left
 * out.
 */
export async function withTokenFacts(
	reader: RpcReader,
	transfers: readonly Transfer[],
	{ makeKey, least }: { readonly makeKey: MakeKey; readonly least: LeastAmount },
): Promise<JsonObject[]> {
	const factsOf = await readTokenFacts(
		reader,
		transfers.map(({ token }) => token),
	);
	return transfers.flatMap((transfer) => {
		const facts = factsOf(transfer.token);
		const item = formatTransfer(transfer, facts, {
			key: makeTransferKey(transfer, makeKey),
			timestamp: quantityToIsoDate(transfer.log.blockTimestamp),
		});
		return least.isReached(BigInt(transfer.value), facts) ? [item] : [];
	});
}

export function makeTransferKey(
	{ token, from, to, value, log }: Transfer,
	makeKey: MakeKey,
): string {
	return makeKey({
		block: quantityToNumber(log.blockNumber),
		transactionHash: textOrNull(log.transactionHash) ?? log.blockHash,
		says: ['transfer', token, from, to, value],
	});
}

/**
 * Decodes a transfer of ERC-20 tokens. Other tokens have an event of the same name, with another number of indexed
 * arguments.
 */
export function decodeTransfer(log: JsonObject): Transfer | undefined {
	const { args } = decodeEventLog(TRANSFER_EVENTS, log);
	if (!args) return undefined;
	const { from, to, value } = args as Pick<Transfer, 'from' | 'to' | 'value'>;
	return { token: checksumAddress(String(log.address)), from, to, value, log };
}

export function formatTransfer(
	{ token, from, to, value, log }: Transfer,
	facts: TokenFacts,
	{ key, timestamp }: { readonly key: string; readonly timestamp: string | null },
): JsonObject {
	const position = formatLogPosition(log);
	const { transactionHash } = position;
	const said = { from, to, token, facts, value: BigInt(value), comment: null };
	return formatPayment({ chain: 'evm', key, transactionHash, timestamp, ...said }, position);
}

/** Formats the position of a log on the chain. */
export function formatLogPosition(log: JsonObject) {
	return {
		blockNumber: quantityToNumber(log.blockNumber),
		blockHash: log.blockHash ?? null,
		transactionHash: textOrNull(log.transactionHash),
		logIndex: quantityToNumber(log.logIndex),
	};
}
