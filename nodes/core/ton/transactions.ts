import { Answer } from '../chain/answer';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { NANOCOIN_DECIMALS, formatUnits } from '../values/units';
import { wholeNumberParser, type Parse, InvalidValue } from '../values/parse';
import type { FormatAddress } from './addressBook';
import {
	formatSeconds,
	parseCode,
	parseLogicalTime,
	parseTonHash,
	parseTruth,
	parseUnits,
} from './answer';
import { formatOpcode, getOpcode, readComment } from './bodies';
import type { Cell } from './cell';
import { parseBag } from './bag/parse';
import { formatExitCode, formatResultCode, isSuccess, type KnownContract } from './exitCodes';
import { raise } from '../errors/raise';

export interface TonMessage {
	/** The hash has 64 hex digits. */
	readonly hash: string;
	/**
	 * The hash that is the same however a message from outside was wrapped. Null if the service leaves it out, because
	 * both hashes are equal.
	 */
	readonly normalizedHash: string | null;
	/** The sender is null for a message from outside. */
	readonly from: TonAccount | null;
	/** The receiver is null for a log, which contracts send to nobody. */
	readonly to: TonAccount | null;
	/** The amount is in nanocoins. */
	readonly amount: bigint;
	readonly isBounced: boolean;
	readonly body: Cell | null;
}

export interface TonTransaction {
	readonly account: TonAccount;
	readonly hash: string;
	readonly lt: bigint;
	/**
	 * The hash of the account's previous transaction. If the transaction that was read before has another hash, one is
	 * missing.
	 */
	readonly previousHash: string | null;
	/**
	 * Whether the account no longer exists after this transaction. Its next transaction then names no previous
	 * transaction. Null if the service does not say so.
	 */
	readonly leavesNoAccount: boolean | null;
	/** The time of the transaction in Unix seconds. */
	readonly time: number;
	/** The number of the masterchain block that contains the transaction; null if the service does not give it. */
	readonly masterBlock: number | null;
	/** The fee is in nanocoins. */
	readonly fee: bigint;
	readonly isFinal: boolean;
	readonly incoming: TonMessage | null;
	readonly outgoing: readonly TonMessage[];
	readonly outcome: TonOutcome;
}

/** The outcome of a transaction. A transaction that the chain calls aborted may still have received coins. */
interface TonOutcome {
	/** The exit code of the phase that failed, or else of the phase in which the code ran. Null if no code ran. */
	readonly exitCode: number | null;
	/** The failure is null for a transaction that succeeded. */
	readonly failure: { readonly phase: FailedPhase; readonly code: number | null } | null;
	/** Whether the coins of the message were sent back. */
	readonly hasBounced: boolean;
	/** Whether the service shows the transaction with all messages that it has sent. */
	readonly isWhole: boolean;
}

type FailedPhase = 'compute' | 'action' | 'skippedAction' | 'bounce';

const PROMISED = 'a transaction';
const MAX_SECONDS = 2 ** 32 - 1;

/** Reads a transaction. Throws RequestFailure if it is malformed, or belongs to another account than `wanted`. */
export function readTransaction(json: unknown, wanted?: TonAccount): TonTransaction {
	const answer = Answer.parse(PROMISED, json);
	const account = answer.read('account', accountParser(wanted));
	const incoming = answer.readObject('in_msg');
	return {
		account,
		hash: answer.read('hash', parseTonHash),
		lt: answer.read('lt', parseLogicalTime),
		previousHash: answer.readOptional('prev_trans_hash', parseTonHash),
		leavesNoAccount: answer.readOptional('end_status', (given) => given === 'nonexist'),
		time: answer.read('now', wholeNumberParser(0, MAX_SECONDS)),
		masterBlock: answer.readOptional('mc_block_seqno', wholeNumberParser(0)),
		fee: answer.read('total_fees', parseUnits),
		isFinal: readIsFinal(answer),
		incoming: incoming && readIncoming(incoming, account),
		outgoing: answer.readObjects('out_msgs').map((one) => readOutgoing(one, account)),
		outcome: readOutcome(answer),
	};
}

/** Makes a parser that refuses any account but the wanted one, in whatever form its address is written. */
function accountParser(wanted: TonAccount | undefined): Parse<TonAccount> {
	return (given) => {
		const account = parseTonAccount(given);
		return !wanted || isSameAccount(account, wanted)
			? account
			: raise(new InvalidValue(`the account ${formatTonAddresses(wanted).raw}`));
	};
}

export function isSameAccount(one: TonAccount, other: TonAccount): boolean {
	return one.workchain === other.workchain && one.hash.equals(other.hash);
}

/** Whether a transaction is final. An older service lists only final transactions, and leaves out this field. */
function readIsFinal(answer: Answer): boolean {
	const finality = answer.readOptional('finality', String) ?? 'finalized';
	const isEmulated = answer.readOptional('emulated', parseTruth) ?? false;
	return finality === 'finalized' && !isEmulated;
}

function readIncoming(message: Answer, account: TonAccount): TonMessage {
	message.read('destination', accountParser(account));
	return readMessage(message);
}

function readOutgoing(message: Answer, account: TonAccount): TonMessage {
	message.read('source', accountParser(account));
	return readMessage(message);
}

function readMessage(message: Answer): TonMessage {
	const content = message.readObject('message_content');
	return {
		hash: message.read('hash', parseTonHash),
		normalizedHash: message.readOptional('hash_norm', parseTonHash),
		from: message.readOptional('source', parseTonAccount),
		to: message.readOptional('destination', parseTonAccount),
		amount: message.readOptional('value', parseUnits) ?? 0n,
		isBounced: message.readOptional('bounced', parseTruth) ?? false,
		body: content?.readOptional('body', parseBag) ?? null,
	};
}

function readOutcome(answer: Answer): TonOutcome {
	const description = answer.readObject('description');
	const computed = readComputed(description?.readObject('compute_ph') ?? null);
	const hasBounced = (description?.readObject('bounce') ?? null) !== null;
	const failure =
		computed.failure ??
		readFailedAction(description?.readObject('action') ?? null) ??
		(hasBounced ? ({ phase: 'bounce', code: null } as const) : null);
	const isWhole = description !== null && areAllSent(answer, description);
	return { exitCode: failure?.code ?? computed.exitCode, failure, hasBounced, isWhole };
}

/**
 * Whether the service lists all messages that the actions of a transaction made. The list may also have a message that
 * only sends coins back, which `msgs_created` does not count.
 */
function areAllSent(answer: Answer, description: Answer): boolean {
	const action = description.readObject('action');
	const made = action?.readOptional('msgs_created', wholeNumberParser(0)) ?? 0;
	return answer.readList('out_msgs').length >= made;
}

/**
 * Reads the phase in which the code ran. A skipped phase is not a failure: it is also skipped when coins arrive at an
 * address without code.
 */
function readComputed(phase: Answer | null): Pick<TonOutcome, 'exitCode' | 'failure'> {
	const isSkipped = phase?.readOptional('skipped', parseTruth) ?? false;
	if (!phase || isSkipped) return { exitCode: null, failure: null };
	const exitCode = phase.read('exit_code', parseCode);
	const hasFailed = !isSuccess(exitCode) || phase.readOptional('success', parseTruth) === false;
	return { exitCode, failure: hasFailed ? { phase: 'compute', code: exitCode } : null };
}

function readFailedAction(phase: Answer | null): TonOutcome['failure'] {
	if (!phase) return null;
	if (!phase.read('success', parseTruth)) {
		return { phase: 'action', code: phase.readOptional('result_code', parseCode) };
	}
	const skipped = phase.readOptional('skipped_actions', wholeNumberParser(0)) ?? 0;
	return skipped > 0 ? { phase: 'skippedAction', code: null } : null;
}

export function hasSucceeded({ outcome }: Pick<TonTransaction, 'outcome'>): boolean {
	return outcome.failure === null;
}

/**
 * Whether the account's code processed the message. Anybody can send a message that claims anything, but for which no code runs: it lacks
 * gas, or the account has no code. Its transaction does not count as failed.
 */
export function isTakenIn(transaction: TonTransaction): boolean {
	const hasRun = transaction.outcome.exitCode !== null;
	return hasRun && hasSucceeded(transaction) && hasArrived(transaction);
}

/**
 * Whether the receiver keeps what a message brought. The message must not be a return, and nothing may have been sent
 * back.
 */
export function hasArrived({ incoming, outcome }: TonTransaction): boolean {
	return incoming !== null && !incoming.isBounced && !outcome.hasBounced;
}

/** Describes why a transaction failed; null if it did not fail. */
export function formatFailure({ failure }: TonOutcome, contract?: KnownContract): string | null {
	if (!failure) return null;
	const { phase, code } = failure;
	if (phase === 'bounce') return 'the message was sent back';
	if (phase === 'skippedAction') return 'a message could not be paid for, and was left out';
	if (phase === 'action')
		return `the actions of the contract failed${code === null ? '' : ` with ${formatResultCode(code)}`}`;
	return `the contract ended with ${formatExitCode(code ?? 0, contract)}`;
}

/** Formats a transaction for an output item. */
export function formatTransaction(transaction: TonTransaction, formatAddress: FormatAddress) {
	const { hash, lt, time, fee, incoming, outgoing, outcome } = transaction;
	return {
		hash,
		lt: String(lt),
		timestamp: formatSeconds(time),
		success: hasSucceeded(transaction),
		exitCode: outcome.exitCode,
		fee: formatUnits(fee, NANOCOIN_DECIMALS),
		in: incoming?.from ? formatIncoming(incoming, incoming.from, formatAddress) : null,
		out: outgoing.map((one) => ({
			to: one.to && formatAddress(one.to),
			...formatContent(one),
		})),
	};
}

function formatIncoming(message: TonMessage, from: TonAccount, formatAddress: FormatAddress) {
	return {
		from: formatAddress(from),
		...formatContent(message),
		bounced: message.isBounced,
	};
}

/** Formats the amount of a message, and the meaning of its body. */
export function formatContent({ amount, body }: TonMessage) {
	return {
		amount: formatUnits(amount, NANOCOIN_DECIMALS),
		...formatComment(body),
		opcode: formatOpcode(body && getOpcode(body)),
	};
}

export function formatComment(body: Cell | null) {
	const { comment, isEncrypted } = readComment(body);
	return { comment, ...(isEncrypted && { encrypted: true }) };
}
