import { Answer } from '../chain/answer';
import { nullIfRefused } from '../chain/blocks';
import type { MadePayment, MadePayments } from '../chain/ownPayment';
import type { RestReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { readTransactions } from './accountTransactions';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { parseLogicalTime, parseSeconds } from './answer';
import { getOpcode, OPCODES, readComment } from './bodies';
import type { Cell } from './cell';
import { buildExternalMessage, encodeExternalMessage } from './messages';
import { findByMessage } from './messageTree';
import { parsePage, readApi } from './reader';
import { findPaidJettons, type SentMessage } from './paidJettons';
import { hasArrived, readTransaction, type TonTransaction } from './transactions';

/** Which payments are wanted. */
interface Wanted {
	/** In milliseconds since 1970. */
	readonly since: number;
	/**
	 * The addresses of the masters of jettons. Payments of these jettons are searched for in addition to payments of
	 * coins.
	 */
	readonly tokens: readonly string[];
}

/**
 * Reads the payments that a wallet has made since a time, in coins and in jettons. Payments that came back or were refused do not count.
 * Payments on their way count, and so do pending payments that the service shows.
 */
export async function readMadePayments(
	reader: RestReader,
	account: string,
	{ since, tokens }: Wanted,
): Promise<MadePayments> {
	const wallet = parseTonAccount(account);
	// Pending transactions are read before final ones. So a transaction that becomes final meanwhile is in at least one
	// of the two answers.
	const [waiting, last, first] = await Promise.all([
		readWaiting(reader, wallet),
		readLastTime(reader, wallet),
		// Some services do not say which block is their first. They are taken to have all blocks.
		readFirstBlock(reader).catch(nullIfRefused),
	]);
	const fromTime = Math.max(0, Math.ceil(since / 1000));
	const range = { fromTime, last, first };
	const { transactions, since: known } = await readSince(reader, wallet, range);
	const done = new Set(transactions.map(({ incoming }) => incoming?.hash));
	const sent = [
		...transactions.flatMap((one) => listSent(one, { hash: one.hash, time: one.time * 1000 })),
		...waiting
			.filter(({ incoming }) => !done.has(incoming?.hash))
			.flatMap((one) => listSent(one, { hash: one.incoming?.hash ?? one.hash, time: Date.now() })),
	];
	const masters = tokens.map((token) => parseTonAccount(token));
	const [coins, jettons] = await Promise.all([
		dropReturned(reader, sent, transactions),
		findPaidJettons(reader, sent, { owner: wallet, masters, fromTime }),
	]);
	return {
		payments: [...coins.flatMap(formatCoins), ...jettons],
		since: Math.max(since, known, first?.time ?? 0),
	};
}

/** Reads pending transactions. An older version of the service refuses this request, and the list is then empty. */
async function readWaiting(
	reader: RestReader,
	wallet: TonAccount,
): Promise<readonly TonTransaction[]> {
	const query = { account: formatTonAddresses(wallet).raw };
	const answer = await readApi(reader, 'pendingTransactions', query).catch(nullIfRefused);
	if (answer === null) return [];
	const { rows } = parsePage('the transactions that wait', 'transactions', answer);
	return rows.map((row) => readTransaction(row, wallet));
}

/** Reads the logical time of the account's last transaction; null if the service does not give it. */
async function readLastTime(reader: RestReader, wallet: TonAccount): Promise<bigint | null> {
	const query = { address: formatTonAddresses(wallet).raw, include_boc: 'false' };
	const answer = await readApi(reader, 'accountStates', query);
	const { rows } = parsePage('the states of accounts', 'accounts', answer);
	if (rows.length === 0) return null;
	return Answer.parse('the state of an account', rows[0]).readOptional(
		'last_transaction_lt',
		parseLogicalTime,
	);
}

/** The first block that a service has. A service that was set up after the chain began lacks the earlier blocks. */
interface FirstBlock {
	/** In milliseconds since 1970. */
	readonly time: number;
	/** The logical time at which the first block begins; null if the service does not give it. */
	readonly startLt: bigint | null;
}

async function readFirstBlock(reader: RestReader): Promise<FirstBlock | null> {
	const answer = Answer.parse('its blocks', await readApi(reader, 'masterchainInfo', {}));
	const first = answer.readObject('first');
	return (
		first && {
			time: first.read('gen_utime', parseSeconds) * 1000,
			startLt: first.readOptional('start_lt', parseLogicalTime),
		}
	);
}

/** At most this many transactions are read. If a wallet has more, its newest transactions are read. */
const MAX_TRANSACTIONS = 1000;

interface Range {
	/** In seconds. */
	readonly fromTime: number;
	readonly last: bigint | null;
	readonly first: FirstBlock | null;
}

async function readSince(reader: RestReader, wallet: TonAccount, range: Range) {
	const { fromTime, last } = range;
	const transactions: TonTransaction[] = [];
	const listed = readTransactions(reader, wallet, { fromTime }, MAX_TRANSACTIONS);
	let since = 0;
	for await (const { transaction } of listed) {
		if (transactions.length === MAX_TRANSACTIONS) {
			since = (transaction.time + 1) * 1000;
			break;
		}
		transactions.push(transaction);
	}
	const [newest] = transactions;
	if (last !== null && last > (newest?.lt ?? 0n)) await requireOlder(reader, wallet, range);
	return { transactions, since };
}

/** Checks that the service has the account's last transaction. The servers of a service are not always at the same block. */
async function requireOlder(
	reader: RestReader,
	wallet: TonAccount,
	{ fromTime, last, first }: Range,
): Promise<void> {
	const isBeforeIndex = last !== null && first?.startLt != null && last < first.startLt;
	if (isBeforeIndex) return;
	const query = {
		account: formatTonAddresses(wallet).raw,
		start_lt: last ?? 0n,
		end_lt: last ?? 0n,
		limit: 1,
	};
	const answer = await readApi(reader, 'transactions', query);
	const { rows } = parsePage('the transactions of an account', 'transactions', answer);
	const [found] = rows.map((row) => readTransaction(row, wallet));
	if (found && found.time < fromTime) return;
	throw new RequestFailure('The service does not list the last transaction of the account', {
		description:
			'Without that transaction, the latest payments of the account are not known. The service may be catching up with the chain. Run the workflow again in a moment.',
	});
}

/** Lists the payments of a transaction. Coins that came back to the wallet, or that it sent back, are not payments. */
function listSent(
	{ account, incoming, outgoing }: TonTransaction,
	made: SentMessage['transaction'],
): SentMessage[] {
	const body = incoming?.from === null ? incoming.body : null;
	const transaction = { ...made, ...(body && { getSigned: () => encodeSigned(account, body) }) };
	return outgoing
		.filter(({ isBounced }) => !isBounced)
		.flatMap(({ to, ...message }) => (to ? [{ ...message, to, transaction }] : []));
}

function encodeSigned(wallet: TonAccount, body: Cell): string {
	return encodeExternalMessage(buildExternalMessage(wallet, body, null)).toString('base64');
}

const READ_CONCURRENCY = 10;

/** Leaves out payments that came back. Only messages to receivers that have sent something back are checked. */
async function dropReturned(
	reader: RestReader,
	sent: readonly SentMessage[],
	transactions: readonly TonTransaction[],
): Promise<readonly SentMessage[]> {
	const senders = transactions.map(({ incoming }) => (incoming?.isBounced ? incoming.from : null));
	const returning = new Set(senders.map((from) => from && formatTonAddresses(from).raw));
	const doubtful = sent.filter(({ to }) => returning.has(formatTonAddresses(to).raw));
	const returned = await mapInParallel(doubtful.length, READ_CONCURRENCY, async (index) => {
		const message = doubtful[index];
		const found = message && (await findByMessage(reader, message.hash));
		return found && !hasArrived(found.transaction) ? message : undefined;
	});
	return sent.filter((one) => !returned.includes(one));
}

/** Formats a message that pays coins. A message whose body is not a comment calls a contract, so its coins are not a payment. */
function formatCoins({ to, amount, body, transaction }: SentMessage): MadePayment[] {
	const opcode = body && getOpcode(body);
	if (amount === 0n || (opcode !== null && opcode !== OPCODES.comment)) return [];
	const { comment } = readComment(body);
	return [
		{
			to: formatTonAddresses(to).raw,
			token: null,
			value: amount,
			comment: comment === '' ? null : comment,
			...transaction,
		},
	];
}
