import { Answer } from '../chain/answer';
import { parseTonAccount, type TonAccount } from './address';
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
	 * This hash stays the same however a message from outside was wrapped. It is null if the service leaves it out, which it
	 * does if both hashes are equal.
	 */
	readonly normalizedHash: string | null;
	/** The sender is null for a message from outside. */
	readonly from: TonAccount | null;
	/** The receiver is null for a log. */
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
	/** The hash of the account's previous transaction, which shows a gap. */
	readonly previousHash: string | null;
	/**
	 * The account does not exist after this transaction, so the next one names no previous one. Null if the service does not
	 * say so.
	 */
	readonly leavesNoAccount: boolean | null;
	/** The time is in Unix seconds. */
	readonly time: number;
	/** The masterchain block that contains it; null if the service does not give it. */
	readonly masterBlock: number | null;
	/** The fee is in nanocoins. */
	readonly fee: bigint;
	readonly isFinal: boolean;
	readonly incoming: TonMessage | null;
	readonly outgoing: readonly TonMessage[];
	readonly outcome: TonOutcome;
}

/** The outcome of a transaction. An aborted transaction has not necessarily failed, and something may have arrived. */
interface TonOutcome {
	/**
	 * The code that says most: of the phase that failed, else that of the computation; null where none was carried out.
	 */
	readonly exitCode: number | null;
	/** The failure is null for a transaction that succeeded. */
	readonly failure: { readonly phase: FailedPhase; readonly code: number | null } | null;
	/** The coins of the message were sent back. */
	readonly hasBounced: boolean;
	/** Whether the service shows it with all that it has sent. */
	readonly isWhole: boolean;
}

type FailedPhase = 'compute' | 'action' | 'skippedAction' | 'bounce';

const PROMISED = 'a transaction';
const MAX_SECONDS = 2 ** 32 - 1;

/** Throws RequestFailure for a malformed transaction, and for one of another account than was asked for. */
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

/** Other accounts are refused, whatever form the address is written in. */
function accountParser(wanted: TonAccount | undefined): Parse<TonAccount> {
	return (given) => {
		const account = parseTonAccount(given);
		return !wanted || isSameAccount(account, wanted)
			? account
			: raise(new InvalidValue('the account that was asked for'));
	};
}

export function isSameAccount(one: TonAccount, other: TonAccount): boolean {
	return one.workchain === other.workchain && one.hash.equals(other.hash);
}

/** Older services do not say so, and list only final ones. */
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

/** What is sent back is beside the messages that the actions made. */
function areAllSent(answer: Answer, description: Answer): boolean {
	const action = description.readObject('action');
	const made = action?.readOptional('msgs_created', wholeNumberParser(0)) ?? 0;
	return answer.readList('out_msgs').length >= made;
}

/** A skipped phase is not a failure: for coins that arrive at an address without code, it is also skipped. */
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
 * Whether the account's code processed the message. Anybody can send a message with too little gas, or before the code
 * exists: it fails nowhere, and may claim anything.
 */
export function isTakenIn(transaction: TonTransaction): boolean {
	const hasRun = transaction.outcome.exitCode !== null;
	return hasRun && hasSucceeded(transaction) && hasArrived(transaction);
}

/** Whether the receiver keeps what the message brought: the message is not a return, and nothing went back. */
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

/** Formats a transaction as operations give it. */
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

/** The amount, and what the body says. */
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
