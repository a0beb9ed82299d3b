import type { RestReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { invalidResponseError } from '../net/responses/response';
import { addressFormatter, type FormatAddress } from './addressBook';
import { getOpcode, OPCODES } from './bodies';
import type { KnownContract } from './exitCodes';
import { parsePage, readApi } from './reader';
import { formatFailure, isSameAccount, readTransaction, type TonTransaction } from './transactions';

/** A transaction, and a function that formats the addresses in it. */
export interface FoundTransaction {
	readonly transaction: TonTransaction;
	readonly formatAddress: FormatAddress;
}

/**
 * Finds the transaction that a message set off. Returns undefined while the transaction is unknown, not final, or not
 * shown completely. A message from outside is found by either of its hashes.
 */
export async function findByMessage(
	reader: RestReader,
	messageHash: string,
): Promise<FoundTransaction | undefined> {
	const query = { msg_hash: messageHash, direction: 'in', limit: 10 };
	const answer = await readApi(reader, 'transactionsByMessage', query);
	const { rows, addressBook } = parsePage('the transaction of a message', 'transactions', answer);
	const found = rows.map((row) => readTransaction(row));
	if (!found.every((one) => isSetOffBy(one, messageHash)))
		throw invalidResponseError('the transaction of the message that was asked for', answer);
	const transaction = getNewest(found.filter(({ isFinal, outcome }) => isFinal && outcome.isWhole));
	if (!transaction) return undefined;
	return { transaction, formatAddress: addressFormatter(addressBook, false) };
}

function isSetOffBy({ incoming }: TonTransaction, messageHash: string): boolean {
	return [incoming?.hash, incoming?.normalizedHash].includes(messageHash);
}

/**
 * Chooses the newest transaction. If a message could not send anything, the wallet may carry out the same message
 * again.
 */
function getNewest(transactions: readonly TonTransaction[]): TonTransaction | undefined {
	return [...transactions].sort((one, other) => (one.lt < other.lt ? 1 : -1))[0];
}

/** The most transactions that are read for one message. The service has the same limit. */
const MAX_TRANSACTIONS = 4000;
const READ_CONCURRENCY = 10;

/**
 * All transactions that a message from outside causes. They can be read in several steps, and known transactions are
 * not read again.
 */
export class MessageTree {
	/** The keys are the hashes of the messages that caused the transactions, in the order in which they were found. */
	private readonly known = new Map<string, FoundTransaction>();

	constructor(private readonly rootHash: string) {}

	get root(): FoundTransaction | undefined {
		return this.known.get(this.rootHash);
	}

	/** Finds the transaction that a message has caused, if it was already read. */
	find(messageHash: string): TonTransaction | undefined {
		return this.known.get(messageHash)?.transaction;
	}

	get transactions(): readonly FoundTransaction[] {
		return [...this.known.values()];
	}

	/** Reads the transactions that are not known yet. Returns whether every message has been carried out. */
	async readOn(reader: RestReader): Promise<boolean> {
		for (let missing = this.listMissing(); missing.length > 0; missing = this.listMissing()) {
			const before = this.known.size;
			await mapInParallel(missing.length, READ_CONCURRENCY, async (index) => {
				const hash = missing[index] ?? '';
				const found = await findByMessage(reader, hash);
				if (found) this.known.set(hash, found);
			});
			if (this.known.size > MAX_TRANSACTIONS) throw tooLargeError();
			if (this.known.size === before) return false;
		}
		return true;
	}

	private listMissing(): string[] {
		const sent = this.transactions.flatMap(({ transaction }) =>
			transaction.outgoing.filter(({ to }) => to !== null).map(({ hash }) => hash),
		);
		return [...new Set([this.rootHash, ...sent])].filter((hash) => !this.known.has(hash));
	}
}

function tooLargeError(): RequestFailure {
	return new RequestFailure(`The message set off more than ${MAX_TRANSACTIONS} transactions`, {
		description: 'Further transactions are not followed.',
	});
}

/**
 * Describes where and why the first failed transaction failed, and whether its coins came back. Returns null if none
 * failed.
 */
export function formatFirstFailure(tree: MessageTree): string | null {
	// A transaction has a lower logical time than the transactions that it sets off.
	const [failed] = tree.transactions
		.filter(({ transaction }) => transaction.outcome.failure !== null)
		.sort((one, other) => (one.transaction.lt < other.transaction.lt ? -1 : 1));
	if (!failed) return null;
	const { transaction, formatAddress } = failed;
	const words = formatFailure(transaction.outcome, guessContract(transaction));
	const end = hasComeBack(tree, transaction) ? ', and the coins came back' : '';
	return `At ${formatAddress(transaction.account)}: ${words}${end}`;
}

/**
 * Whether an account has sent its coins back to the wallet. The wallet's transactions are searched for the returning
 * message.
 */
function hasComeBack({ root, transactions }: MessageTree, { account }: TonTransaction): boolean {
	return transactions.some(({ transaction: { account: receiver, incoming } }) => {
		if (!root || !incoming?.isBounced || !incoming.from) return false;
		const isToWallet = isSameAccount(receiver, root.transaction.account);
		return isToWallet && isSameAccount(incoming.from, account);
	});
}

const V5_SIGNED_OPCODE = 0x7369676e;

/**
 * Guesses the kind of a contract by the message that it got. The kind is needed, because the same exit code means
 * different things in different contracts.
 */
function guessContract({ incoming }: TonTransaction): KnownContract | undefined {
	const opcode = incoming?.body ? getOpcode(incoming.body) : null;
	if (incoming && !incoming.from) return opcode === V5_SIGNED_OPCODE ? 'v5r1' : 'v3r2';
	if (opcode === OPCODES.jettonTransfer || opcode === OPCODES.jettonReceipt) return 'jettonWallet';
	return opcode === OPCODES.nftTransfer ? 'nft' : undefined;
}
