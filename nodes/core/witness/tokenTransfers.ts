import type { WatchedAccounts } from '../accountKey/watchedAccounts';
import { abiParser } from '../evm/abi/abi';
import { decodeEventLog, matchesTopics } from '../evm/abi/event';
import { toWitnessAbi } from './abi';
import { formatWitnessAddresses } from './address';
import type { BlockLog } from './blockTransactions';
import { decodeMemo } from './coinPayments';
import { formatBlockTime, type Block } from './readBlocks';
import { formatPayment, type LeastAmount, type MakeKey } from '../chain/payment';
import type { TokenFacts } from '../chain/tokens';
import { mapWithPauses } from '../net/pacing/slices';
import type { JsonObject } from '../values/json';

const TRANSFER_EVENTS = toWitnessAbi(
	abiParser('event')('Transfer(address indexed from, address indexed to, uint256 value)'),
).events;

/** The choice of token transfers. Accounts and tokens are 40 hex digits. An empty list means any. */
export interface TransferChoice {
	readonly tokens: readonly string[];
	readonly accounts: readonly string[];
	readonly direction: 'any' | 'in' | 'out';
}

/** The wanted tokens, as 40 hex digits, and the accounts of the watched account key, which receive them. */
interface ReceiptChoice {
	readonly tokens: readonly string[];
	readonly accounts: WatchedAccounts;
}

/** A TRC-20 transfer, read from its log. */
export interface TokenTransfer {
	/** The token as 40 hex digits. */
	readonly token: string;
	/** Both accounts are in base58. */
	readonly from: string;
	readonly to: string;
	readonly value: string;
	readonly place: LogPlace;
	readonly timestamp: string;
	/** The memo of the transaction. */
	readonly comment: string | null;
	/** The index of the receiver among the accounts of the watched key. Undefined if no key is watched. */
	readonly depositIndex?: number;
}

/** The position of a log on the chain, as output items show it. */
export type LogPlace = ReturnType<typeof formatLogPlace>;

/** Lists the logs of a block with their positions. */
export function listLogs(block: Block) {
	return block.transactions.flatMap((transaction) =>
		transaction.logs.map((log) => ({
			log,
			transaction,
			place: formatLogPlace(block, transaction.id, log),
		})),
	);
}

function formatLogPlace(block: Block, id: string, { logIndex }: BlockLog) {
	return {
		blockNumber: block.number,
		blockHash: block.hash,
		transactionHash: id,
		logIndex,
	};
}

/** Creates a search for token transfers. It returns the matching transfers of a block in order. */
export function createTransferSearch(choice: TransferChoice) {
	const [topic = ''] = TRANSFER_EVENTS.map((event) => event.topic);
	const sides = choice.accounts.map((account) => `0x${account.padStart(64, '0')}`);
	const filters = {
		any: [
			[topic, sides],
			[topic, null, sides],
		],
		out: [[topic, sides]],
		in: [[topic, null, sides]],
	}[choice.direction];
	const isOfToken = createTokenMatcher(choice.tokens);
	return createSearch((log) => {
		const isWanted = isOfToken(log) && filters.some((one) => matchesTopics(log.topics, one));
		return isWanted ? decodeTransfer(log) : undefined;
	});
}

/**
 * Creates a search for token transfers to the accounts of the watched account key. It returns the transfers of a block
 * in order, without transfers of 0.
 */
export function createReceiptSearch({ tokens, accounts }: ReceiptChoice) {
	const isOfToken = createTokenMatcher(tokens);
	return createSearch((log) => {
		const { topics } = log;
		const isTransfer = TRANSFER_EVENTS.some(({ topic }) => topic === topics[0]);
		const receiver = topics[2]?.slice(-ACCOUNT_DIGITS) ?? '';
		const depositIndex = isTransfer && isOfToken(log) ? accounts.findIndex(receiver) : undefined;
		const said = depositIndex === undefined ? undefined : decodeTransfer(log);
		return said && said.value !== '0' ? { ...said, depositIndex } : undefined;
	});
}

const ACCOUNT_DIGITS = 40;

function createTokenMatcher(tokens: readonly string[]) {
	const wanted = new Set(tokens.map((token) => `0x${token}`));
	return ({ address }: BlockLog) => wanted.size === 0 || wanted.has(address);
}

type FoundTransfer = Omit<TokenTransfer, 'place' | 'timestamp' | 'comment'>;

function createSearch(find: (log: BlockLog) => FoundTransfer | undefined) {
	return async (block: Block): Promise<readonly TokenTransfer[]> => {
		const timestamp = formatBlockTime(block);
		const transfers = await mapWithPauses(listLogs(block), ({ log, transaction, place }) => {
			const found = find(log);
			return found ? { ...found, place, timestamp, comment: decodeMemo(transaction.memo) } : [];
		});
		return transfers.flat();
	};
}

/**
 * Decodes a token transfer. Returns undefined for a log of another kind of token, whose event has the same name, but
 * another number of indexed arguments.
 */
function decodeTransfer(log: BlockLog) {
	const { args } = decodeEventLog(TRANSFER_EVENTS, log);
	if (!args) return undefined;
	const { from, to, value } = args as Pick<TokenTransfer, 'from' | 'to' | 'value'>;
	return { token: log.address.slice(2), from, to, value };
}

interface TransferContext {
	readonly factsOf: (token: string) => TokenFacts;
	readonly makeKey: MakeKey;
	readonly least: LeastAmount;
}

/** Formats token transfers as output items. Transfers below the smallest wanted amount are left out. */
export async function formatTokenTransfers(
	transfers: readonly TokenTransfer[],
	{ factsOf, makeKey, least }: TransferContext,
): Promise<readonly JsonObject[]> {
	const items = await mapWithPauses(transfers, (transfer) => {
		const facts = factsOf(transfer.token);
		const item = formatTokenTransfer(transfer, facts, makeKey);
		return least.isReached(BigInt(transfer.value), facts) ? [item] : [];
	});
	return items.flat();
}

function formatTokenTransfer(
	{ token, from, to, value, place, timestamp, comment, depositIndex }: TokenTransfer,
	facts: TokenFacts,
	makeKey: MakeKey,
): JsonObject {
	const { blockNumber: block, transactionHash } = place;
	const payment = {
		chain: 'witness' as const,
		key: makeKey({ block, transactionHash, says: ['transfer', token, from, to, value] }),
		transactionHash,
		timestamp,
		from,
		to,
		token: formatWitnessAddresses(token).base58,
		facts,
		value: BigInt(value),
		comment,
	};
	return formatPayment(payment, { ...place, ...(depositIndex !== undefined && { depositIndex }) });
}
