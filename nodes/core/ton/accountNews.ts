import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { catching, InvalidValue, isRecord, parseText, wholeNumberParser } from '../values/parse';
import {
	readTransactions,
	readTransactionsAfter,
	TransactionMissing,
	type AccountPosition,
	type ListedTransaction,
	type TimeRange,
} from './accountTransactions';
import { formatTonAddresses, type TonAccount } from './address';
import { parseLogicalTime, parseSeconds, parseTonHash } from './answer';
import { readApi } from './reader';
import type { TonTransaction } from './transactions';

/** An event that a transaction of a watched account causes, such as a payment that has arrived. */
export interface TonEvent {
	/** The time is in Unix seconds. */
	readonly time: number;
	readonly lt: bigint;
	readonly json: Readonly<Record<string, unknown>>;
}

/** An account whose transactions the trigger reads at each poll. */
export interface FollowedAccount {
	readonly account: TonAccount;
	/**
	 * Finds the events of a transaction. Returns undefined as long as the chain does not show whether its coins or
	 * jettons have arrived.
	 */
	findEvents(listed: ListedTransaction): Promise<readonly TonEvent[] | undefined>;
}

interface AccountCursor extends AccountPosition {
	/** The time is in Unix seconds. */
	readonly time: number;
}

/** The keys are raw addresses. */
export type AccountCursors = ReadonlyMap<string, AccountCursor>;

/** This cursor is before the first transaction of an account. */
const BEGINNING: AccountCursor = { lt: 0n, hash: null, time: 0 };
const ACCOUNTS_AT_ONCE = 10;
const MAX_EVENTS_PER_ACCOUNT = 1000;
/** A service is reported as lagging if its last block is older than this. */
const MAX_LAG_SECONDS = 600;
/** The search for a sample ends after this many transactions of an account. */
const MAX_SAMPLE_TRANSACTIONS = 1000;

/** Reads a cursor for each account. It points behind the latest transaction of the account. */
export async function readPresentCursors(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
): Promise<AccountCursors> {
	return await readCursors(reader, accounts, {});
}

/**
 * Reads a cursor for each account. It points behind the last transaction of the account before a moment, in Unix
 * seconds.
 */
export async function readCursorsBefore(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
	moment: number,
): Promise<AccountCursors> {
	return moment < 1 ? new Map() : await readCursors(reader, accounts, { toTime: moment - 1 });
}

async function readCursors(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
	range: TimeRange,
): Promise<AccountCursors> {
	const cursors = await mapAccounts(accounts, async ({ account }) => {
		const cursor = await readPresentCursor(reader, account, range);
		return [formatTonAddresses(account).raw, cursor] as const;
	});
	return new Map(cursors);
}

async function readPresentCursor(
	reader: RestReader,
	account: TonAccount,
	range: TimeRange = {},
): Promise<AccountCursor> {
	for await (const { transaction } of readTransactions(reader, account, range, 1))
		if (transaction.isFinal) return createCursorAt(transaction);
	return BEGINNING;
}

function createCursorAt({ lt, hash, time }: TonTransaction): AccountCursor {
	return { lt, hash, time };
}

interface AccountNews {
	readonly cursor: AccountCursor;
	readonly events: readonly TonEvent[];
	/** The error that stopped the reading before all new transactions were read. */
	readonly failure?: unknown;
	/**
	 * The service serves a different chain than before. The cursor is at the latest transaction of the account on that
	 * chain.
	 */
	readonly hasRestarted?: boolean;
}

interface News extends Omit<AccountNews, 'cursor'> {
	readonly cursors: AccountCursors;
}

/**
 * Reads the new events of all accounts, the oldest first. An account without a cursor is new in the list, and is read
 * from its beginning. If a failure leaves transactions unread, the next call reads them.
 */
export async function readNewsOfAccounts(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
	cursors: AccountCursors,
	deadline: number,
): Promise<News> {
	const news = await mapAccounts(accounts, async (followed) => {
		const { raw } = formatTonAddresses(followed.account);
		const cursor = cursors.get(raw) ?? BEGINNING;
		return [raw, await readAccountNews(reader, followed, cursor, deadline)] as const;
	});
	const all = news.map(([, one]) => one);
	const events = all.flatMap((one) => one.events).sort(compareEvents);
	return {
		cursors: new Map([...cursors, ...news.map(([raw, { cursor }]) => [raw, cursor] as const)]),
		events,
		failure: all.find(({ failure }) => failure !== undefined)?.failure,
		hasRestarted: all.some(({ hasRestarted }) => hasRestarted),
	};
}

async function mapAccounts<T>(
	accounts: readonly FollowedAccount[],
	job: (followed: FollowedAccount) => Promise<T>,
): Promise<T[]> {
	return await mapInParallel(accounts.length, ACCOUNTS_AT_ONCE, async (index) => {
		return await job(accounts[index] as FollowedAccount);
	});
}

/**
 * Orders events by the time of their blocks, and within the same second by logical time. The order within an account
 * is exact.
 */
function compareEvents(one: TonEvent, other: TonEvent): number {
	return one.time - other.time || (one.lt < other.lt ? -1 : Number(one.lt > other.lt));
}

async function readAccountNews(
	reader: RestReader,
	{ account, findEvents }: FollowedAccount,
	cursor: AccountCursor,
	deadline: number,
): Promise<AccountNews> {
	const events: TonEvent[] = [];
	let reached = cursor;
	try {
		for await (const listed of readTransactionsAfter(reader, account, cursor)) {
			const found = listed.transaction.isFinal ? await findEvents(listed) : undefined;
			if (!found) break;
			for (const event of found) events.push(event);
			reached = createCursorAt(listed.transaction);
			if (events.length >= MAX_EVENTS_PER_ACCOUNT || Date.now() >= deadline) break;
		}
		return { cursor: reached, events };
	} catch (failure) {
		if (!(failure instanceof TransactionMissing)) return { cursor: reached, events, failure };
		// If the service is only behind the chain, it will have the account's last known transaction again later.
		if (!(await isPast(reader, reached))) return { cursor: reached, events };
		const present = await readPresentCursor(reader, account);
		// An empty list does not prove another chain. If reading began anew, all transactions that come back later would
		// be reported again.
		return present.hash === null
			? { cursor: reached, events, failure }
			: { cursor: present, events, hasRestarted: true };
	}
}

/** Whether the service has read so far that it would have the account's last known transaction if its chain had it. */
async function isPast(reader: RestReader, { time }: AccountCursor): Promise<boolean> {
	return (await readServiceTime(reader)) > time + MAX_LAG_SECONDS;
}

/** Reads the time of the last block that the service has, in Unix seconds. */
export async function readServiceTime(reader: RestReader): Promise<number> {
	return parseBlockTime(await readLastBlock(reader));
}

/** Reads the last block that the service has: its number on the masterchain, its name, and its time in Unix seconds. */
export async function readServiceBlock(
	reader: RestReader,
): Promise<{ readonly number: number; readonly name: string; readonly time: number }> {
	const last = await readLastBlock(reader);
	const number = last.read('seqno', (given) => wholeNumberParser(0)(Number(parseText(given))));
	return { number, name: `block ${number}`, time: parseBlockTime(last) };
}

async function readLastBlock(reader: RestReader): Promise<Answer> {
	const answer = Answer.parse('its last block', await readApi(reader, 'masterchainInfo', {}));
	return answer.readObject('last') ?? answer.throwInvalid('last', 'a block', null);
}

function parseBlockTime(block: Answer): number {
	return block.read('gen_utime', parseSeconds);
}

/** Throws if the service has stopped reading the chain. Without this check, the accounts would only look quiet. */
export async function throwIfServiceLags(reader: RestReader): Promise<void> {
	throwIfBlockIsOld(
		{ time: await readServiceTime(reader) },
		'Payments from this time will start the workflow as soon as the service has them.',
	);
}

/** Throws if the last block of a service is old, because the service then does not keep up with its chain. */
export function throwIfBlockIsOld({ time }: { readonly time: number }, description: string): void {
	const lag = Math.floor(Date.now() / 1000) - time;
	if (lag <= MAX_LAG_SECONDS) return;
	const minutes = Math.round(lag / 60);
	throw new RequestFailure(`The service is ${minutes} minutes behind the chain`, { description });
}

/**
 * Finds the latest event of all accounts. It is the sample that the editor shows to the person who builds the
 * workflow.
 */
export async function findLatestEvent(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
	deadline: number,
): Promise<TonEvent | undefined> {
	const found = await mapAccounts(
		accounts,
		async (followed) => await findLatestOf(reader, followed, deadline),
	);
	return found
		.flatMap((event) => event ?? [])
		.sort(compareEvents)
		.at(-1);
}

async function findLatestOf(
	reader: RestReader,
	{ account, findEvents }: FollowedAccount,
	deadline: number,
): Promise<TonEvent | undefined> {
	let searched = 0;
	for await (const listed of readTransactions(reader, account, {})) {
		const latest = (await findEvents(listed))?.at(-1);
		if (latest || ++searched >= MAX_SAMPLE_TRANSACTIONS || Date.now() >= deadline) return latest;
	}
	return undefined;
}

/** Formats the cursors as the plain JSON that n8n stores. */
export function formatCursors(cursors: AccountCursors) {
	return Object.fromEntries(
		[...cursors].map(([raw, cursor]) => [raw, { ...cursor, lt: String(cursor.lt) }]),
	);
}

/** Parses the cursors that n8n has stored. Returns undefined for data that are not cursors. */
export function parseCursors(stored: unknown): AccountCursors | undefined {
	if (!isRecord(stored)) return undefined;
	const cursors = catching(InvalidValue, () => Object.entries(stored).map(parseCursorEntry));
	return cursors instanceof InvalidValue ? undefined : new Map(cursors);
}

function parseCursorEntry([raw, stored]: [string, unknown]): [string, AccountCursor] {
	const { lt, hash, time } = isRecord(stored) ? stored : {};
	return [
		raw,
		{
			lt: parseLogicalTime(lt),
			hash: hash === null ? null : parseTonHash(hash),
			time: wholeNumberParser(0)(time),
		},
	];
}
