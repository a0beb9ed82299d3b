import { createKeyMaker, formatPayment, type LeastAmount, type MakeKey } from '../chain/payment';
import type { TokenFacts } from '../chain/tokens';
import type { JsonObject } from '../values/json';
import type { RpcReader } from '../chain/reader';
import { findContractAbi } from './contracts';
import { readEvents, readRange } from './eventRange';
import { formatEventPosition } from './eventItems';
import type { BlockId } from './blocks';
import type { DistanceBack } from '../chain/back';
import type { EventFilter, StarkEvent } from './events';
import { formatFelt } from './felts';
import type { BlockRange } from '../chain/blocks';
import { computeSelector } from './selectors';
import { decodeAmount, readTokenFacts } from './tokens';

const TRANSFER_NAME = 'Transfer';
const TRANSFER_SELECTOR = computeSelector(TRANSFER_NAME);

/** Which transfers are wanted. */
export interface TransferChoice {
	/** The tokens to search. An empty list means any token. */
	readonly tokens: readonly bigint[];
	/** The accounts that send or receive. An empty list means any account. */
	readonly accounts: readonly bigint[];
	readonly direction: 'any' | 'from' | 'to';
}

/** A choice of transfers, with the smallest amount. */
export interface SizedChoice extends TransferChoice {
	/** Smaller transfers are left out. */
	readonly least: LeastAmount;
}

/** A choice of transfers, with the blocks to search. */
interface TransferSearch extends SizedChoice {
	readonly fromBlock: BlockId | DistanceBack;
	readonly toBlock: BlockId;
	readonly limit?: number;
}

/** A token transfer, read from its event. */
export interface Transfer {
	readonly from: bigint;
	readonly to: bigint;
	readonly value: bigint;
	/** Whether the sender and the receiver are keys of the event. In the events of old NFTs, they never are. */
	readonly isNew: boolean;
	readonly event: StarkEvent;
}

/**
 * Decodes a token transfer. Events of new tokens have the parties as keys, and events of old tokens have everything
 * in the data. Events of newer NFTs are not decoded, because they also have the NFT's number among the keys.
 */
export function decodeTransfer(event: StarkEvent): Transfer | undefined {
	const [selector, ...keys] = event.keys;
	const [from, to, ...amount] = [...keys, ...event.data];
	const isTransfer = selector === TRANSFER_SELECTOR && keys.length <= 2;
	const value = isTransfer ? decodeAmount(amount) : null;
	if (from === undefined || to === undefined || value === null) return undefined;
	return { from, to, value, isNew: keys.length === 2, event };
}

/** Reads the transfers of a range of blocks, each once, in the order of the chain. */
export async function* readTransfers(
	reader: RpcReader,
	wanted: TransferSearch,
): AsyncGenerator<object[]> {
	const range = await readRange(reader, wanted);
	const filters = await readTransferFilters(reader, wanted);
	const [only, ...others] = filters;
	const makeKey = createKeyMaker();
	if (only && others.length === 0) {
		for await (const events of readEvents(reader, only, range)) {
			const transfers = pickTransfers(wanted, events);
			yield (await readTransferItems(reader, wanted, transfers, makeKey)).map(getItem);
		}
		return;
	}
	const lists = await Promise.all(
		filters.map(async (one) => await collectTransfers(reader, wanted, one, range)),
	);
	const transfers = sortDistinctTransfers(lists);
	const items = await readTransferItems(reader, wanted, transfers, makeKey);
	yield items.map(getItem);
}

function getItem({ item }: TransferItem): object {
	return item;
}

/**
 * Builds event filters for transfers. A node can filter by sender and receiver only if they are keys of the event. For tokens without these
 * keys, the filter finds every transfer.
 */
export async function readTransferFilters(
	reader: RpcReader,
	wanted: TransferChoice,
): Promise<EventFilter[]> {
	const whole = { keys: [[TRANSFER_SELECTOR]] };
	if (wanted.tokens.length === 0) return [whole];
	const filters = wanted.tokens.map(async (token) => {
		const isFiltered = wanted.accounts.length > 0 && (await hasPartiesAsKeys(reader, token));
		const keys = isFiltered ? buildPartyKeys(wanted) : [whole.keys];
		return keys.map((one) => ({ contract: token, keys: one }));
	});
	return (await Promise.all(filters)).flat();
}

async function hasPartiesAsKeys(reader: RpcReader, token: bigint): Promise<boolean> {
	const abi = await findContractAbi(reader, token);
	const events = (abi?.events ?? []).filter(({ selectors }) => selectors[0] === TRANSFER_SELECTOR);
	return events.length > 0 && events.every(({ members }) => countKeys(members) === 2);
}

function countKeys(members: ReadonlyArray<{ readonly isKey: boolean }>): number {
	return members.filter(({ isKey }) => isKey).length;
}

function buildPartyKeys({ accounts, direction }: TransferChoice): bigint[][][] {
	const from = [[TRANSFER_SELECTOR], [...accounts]];
	const to = [[TRANSFER_SELECTOR], [], [...accounts]];
	return { any: [from, to], from: [from], to: [to] }[direction];
}

async function collectTransfers(
	reader: RpcReader,
	wanted: TransferSearch,
	filter: EventFilter,
	range: BlockRange,
): Promise<Transfer[]> {
	const found: Transfer[] = [];
	for await (const events of readEvents(reader, filter, range)) {
		for (const one of pickTransfers(wanted, events)) found.push(one);
		if (wanted.least.isZero && found.length >= (wanted.limit ?? Infinity)) break;
	}
	return found;
}

export function pickTransfers(
	{ accounts, direction }: TransferChoice,
	events: readonly StarkEvent[],
): Transfer[] {
	const wanted = new Set(accounts);
	return events.flatMap((event) => {
		const transfer = decodeTransfer(event);
		if (!transfer) return [];
		const isFrom = direction !== 'to' && wanted.has(transfer.from);
		const isTo = direction !== 'from' && wanted.has(transfer.to);
		return wanted.size === 0 || isFrom || isTo ? [transfer] : [];
	});
}

/**
 * Joins lists of transfers, each transfer once. A transfer between two of the accounts is in both of their lists. It
 * is recognized by its index, or otherwise by its contents and its position among equal transfers of its transaction.
 */
export function sortDistinctTransfers(lists: ReadonlyArray<readonly Transfer[]>): Transfer[] {
	const known = new Map<string, Transfer>();
	for (const list of lists) {
		const counts = new Map<string, number>();
		for (const one of list) known.set(identify(one, counts), one);
	}
	return [...known.values()].sort((a, b) => comparePositions(a.event, b.event));
}

function identify({ from, to, event }: Transfer, counts: Map<string, number>): string {
	const { contract, transactionHash, eventIndex, data } = event;
	const id = [contract, transactionHash, eventIndex ?? [from, to, ...data].join(' ')].join(' ');
	if (eventIndex !== null) return id;
	const count = (counts.get(id) ?? 0) + 1;
	counts.set(id, count);
	return `${id} ${count}`;
}

function comparePositions(a: StarkEvent, b: StarkEvent): number {
	return (
		(a.blockNumber ?? Infinity) - (b.blockNumber ?? Infinity) ||
		(a.transactionIndex ?? 0) - (b.transactionIndex ?? 0) ||
		(a.eventIndex ?? 0) - (b.eventIndex ?? 0)
	);
}

/** A transfer as an output item, and the event that it was read from. */
interface TransferItem {
	readonly event: StarkEvent;
	readonly item: JsonObject;
}

/**
 * Reads transfers as output items. A transfer of an old NFT looks like that of an old token, so it is recognized by its missing decimals.
 */
export async function readTransferItems(
	reader: RpcReader,
	{ tokens, least }: SizedChoice,
	transfers: readonly Transfer[],
	makeKey: MakeKey,
): Promise<TransferItem[]> {
	const factsOf = await readTokenFacts(
		reader,
		transfers.map(({ event }) => event.contract),
	);
	return transfers
		.map((transfer) => ({ transfer, facts: factsOf(transfer.event.contract) }))
		.filter(({ transfer, facts }) => transfer.isNew || tokens.length > 0 || facts.decimals !== null)
		.map(({ transfer, facts }) => {
			const key = makeTransferKey(transfer, makeKey);
			return { transfer, facts, item: formatTransfer(transfer, facts, key) };
		})
		.filter(({ transfer, facts }) => least.isReached(transfer.value, facts))
		.map(({ transfer: { event }, item }) => ({ event, item }));
}

/** Makes the key of a transfer. Nodes with a version below 0.10 do not give the index of an event. */
function makeTransferKey({ from, to, value, isNew, event }: Transfer, makeKey: MakeKey): string {
	const { contract, blockNumber, transactionHash } = event;
	const says = [isNew, contract, from, to, value].map(String);
	return makeKey({
		block: blockNumber,
		transactionHash: transactionHash === null ? null : formatFelt(transactionHash),
		says: ['transfer', ...says],
	});
}

/** Formats a transfer for an output item. */
function formatTransfer({ from, to, value, event }: Transfer, facts: TokenFacts, key: string) {
	const position = formatEventPosition(event);
	const payment = {
		chain: 'stark' as const,
		key,
		transactionHash: position.transactionHash,
		timestamp: null,
		from: formatFelt(from),
		to: formatFelt(to),
		token: formatFelt(event.contract),
		facts,
		value,
		comment: null,
	};
	return formatPayment(payment, { ...position, logIndex: event.eventIndex });
}
