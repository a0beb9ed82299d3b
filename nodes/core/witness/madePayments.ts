import type { MadePayment, MadePayments } from '../chain/ownPayment';
import type { RestReader } from '../chain/reader';
import { mapInParallel } from '../net/pacing/concurrency';
import { isRecord } from '../values/parse';
import { formatWitnessAddresses, parseWitnessAccount } from './address';
import { parseNumberPart } from './blockParts';
import { parseChecked, readHead } from './blocks';
import { findPaid, hasMoved } from './paidTokens';
import { readBlocksBack } from './readBack';
import { askWallet, READ_CONCURRENCY, readWaitingTransactions } from './waitingTransactions';

/** Which payments are wanted. */
interface Wanted {
	/** In milliseconds since 1970. */
	readonly since: number;
	/** The tokens whose payments are searched for in addition to payments of coins. */
	readonly tokens: readonly string[];
}

/**
 * Reads what an account has paid by its own transactions since a time. No node lists those of an account, so that the blocks are
 * looked through, unless the account has done nothing; what waits for a block is there as far as the node shows it.
 */
export async function readMadePayments(
	reader: RestReader,
	account: string,
	{ since, tokens }: Wanted,
): Promise<MadePayments> {
	const own = parseWitnessAccount(account);
	const wanted = new Set(tokens.map((token) => parseWitnessAccount(token)));
	// Pending transactions are read before the blocks: one that enters a block meanwhile is in at least one of the two.
	const waiting = await readWaitingTransactions(reader);
	const now = Date.now();
	const mined = await readMined(reader, own, { since, now });
	const paid = mined.blocks.flatMap(({ timestamp, transactions }) =>
		transactions.flatMap((one) => findPaid(one, own, wanted, timestamp)),
	);
	const hashes = new Set(mined.blocks.flatMap((block) => block.transactions.map(({ id }) => id)));
	const waits = waiting.filter(({ id }) => !hashes.has(id));
	return {
		payments: [
			...(await dropUnmoved(reader, own, paid)),
			...waits.flatMap((one) => findPaid(one, own, wanted, now)),
		],
		since: mined.since,
	};
}

/** A node without any block of the requested time knows nothing about that time. */
async function readMined(
	reader: RestReader,
	account: string,
	{ since, now }: Readonly<Record<'since' | 'now', number>>,
) {
	const head = await readHead(reader);
	if (head.timestamp < since) return { blocks: [], since: now };
	return (await isQuiet(reader, account, since))
		? { blocks: [], since }
		: await readBlocksBack(reader, head, since);
}

/** Blocks come every three seconds, or later after an outage of the chain. */
const MAX_BLOCK_GAP_MS = 300_000;

/** Whether the account has sent nothing since. A node gives the account's last time by the previous block. */
async function isQuiet(reader: RestReader, account: string, since: number): Promise<boolean> {
	const body = { address: formatWitnessAddresses(account).hex, visible: false };
	const answer = await askWallet(reader, 'getaccount', body);
	// The chain has misspelt it from its beginning.
	const last = isRecord(answer) ? answer.latest_opration_time : undefined;
	if (last === undefined || last === null) return false;
	const time = parseChecked(last, 'an account', (given) =>
		parseNumberPart(given, 'latest_opration_time'),
	);
	return time > 0 && time < since - MAX_BLOCK_GAP_MS;
}

/** Some tokens refuse without failing, so their logs decide what was moved. */
async function dropUnmoved(
	reader: RestReader,
	account: string,
	paid: readonly MadePayment[],
): Promise<MadePayment[]> {
	const kept = await mapInParallel(paid.length, READ_CONCURRENCY, async (index) => {
		const one = paid[index];
		if (!one || one.token === null) return one;
		const info = await askWallet(reader, 'gettransactioninfobyid', { value: one.hash });
		return hasMoved(info, account, one.token) ? one : undefined;
	});
	return kept.filter((one) => one !== undefined);
}
