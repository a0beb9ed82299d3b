import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isBlank, isRecord } from '../values/parse';
import { formatUnits } from '../values/units';
import { isIndex } from './blocks';
import { formatEvent, readEventDecoders } from './eventItems';
import { parseEvent } from './events';
import { encodeFelt, formatFelt, tryParseFelt } from './felts';
import { ERROR_CODES, nullIfUnknown } from './reader';
import { findRevertReason } from './reverts';
import { FEE_DECIMALS } from './tokens';
import { raise } from '../errors/raise';

type Answer = Readonly<Record<string, unknown>>;

/** The state of a transaction on its way into the chain. */
type TransactionStatus = 'received' | 'pending' | 'acceptedOnL2' | 'acceptedOnL1' | 'rejected';

/** The node's answers about a transaction. The receipt exists after the transaction was executed. */
export interface TransactionState {
	readonly status: TransactionStatus;
	readonly receipt: Answer | null;
	/** The node's answer about the status of the transaction. It may contain the reason of a failure. */
	readonly stage: Answer;
}

const STATUSES: ReadonlyMap<unknown, TransactionStatus> = new Map<unknown, TransactionStatus>([
	['RECEIVED', 'received'],
	['CANDIDATE', 'received'],
	['PRE_CONFIRMED', 'pending'],
	['ACCEPTED_ON_L2', 'acceptedOnL2'],
	['ACCEPTED_ON_L1', 'acceptedOnL1'],
	['REJECTED', 'rejected'],
]);

/** Reads the status and the receipt of a transaction. Returns null if the node does not know it. */
export async function readTransactionState(
	reader: RpcReader,
	hash: bigint,
): Promise<TransactionState | null> {
	const [stage, receipt] = await Promise.all([
		readOrNull(reader, 'getTransactionStatus', hash),
		readOrNull(reader, 'getTransactionReceipt', hash),
	]);
	if (!stage && !receipt) return null;
	const finality = receipt?.finality_status ?? stage?.finality_status;
	const status =
		STATUSES.get(finality) ?? raise(invalidResponseError('a finality status', finality));
	return { status: withBlock(status, receipt), receipt, stage: stage ?? {} };
}

/** Whether the node knows a transaction. A rejected transaction does not count, because it may be sent again. */
export async function isTransactionKnown(reader: RpcReader, hash: bigint): Promise<boolean> {
	const stage = await readOrNull(reader, 'getTransactionStatus', hash);
	if (!stage) return false;
	const { finality_status: finality } = stage;
	return (
		(STATUSES.get(finality) ?? raise(invalidResponseError('a finality status', finality))) !==
		'rejected'
	);
}

/**
 * Corrects a status by the receipt. Older nodes report transactions of the pending block as accepted, although that
 * block has no hash yet.
 */
function withBlock(status: TransactionStatus, receipt: Answer | null): TransactionStatus {
	const isAccepted = status === 'acceptedOnL2' || status === 'acceptedOnL1';
	const hasBlock = receipt !== null && tryParseFelt(receipt.block_hash) !== undefined;
	return isAccepted && !hasBlock ? 'pending' : status;
}

async function readOrNull(reader: RpcReader, method: string, hash: bigint): Promise<Answer | null> {
	const asking = reader.call(method, [encodeFelt(hash)], { isFresh: true });
	const answer = await nullIfUnknown(asking, ERROR_CODES.transactionUnknown);
	if (answer === null) return answer;
	return isRecord(answer) && isOfTransaction(hash, method, answer)
		? answer
		: raise(invalidResponseError('what it knows of the transaction that was asked for', answer));
}

/** Whether an answer is about the requested transaction. Only the answer about the status of a transaction lacks the transaction's hash. */
function isOfTransaction(
	hash: bigint,
	method: string,
	{ transaction_hash: named }: Answer,
): boolean {
	if (isBlank(named)) return method === 'getTransactionStatus';
	return tryParseFelt(named) === hash;
}

/** Reads the contents of a transaction. Returns null if the node does not know it. */
export async function readTransaction(reader: RpcReader, hash: bigint): Promise<Answer | null> {
	return await readOrNull(reader, 'getTransactionByHash', hash);
}

/** Formats the state of a transaction, with its events decoded by the ABIs of their contracts. */
export async function formatTransactionState(
	reader: RpcReader,
	hash: bigint,
	{ status, receipt, stage }: TransactionState,
) {
	const events = receipt && Array.isArray(receipt.events) ? receipt.events.map(parseEvent) : [];
	const decode = await readEventDecoders(reader, events);
	const execution = receipt?.execution_status ?? stage.execution_status;
	return {
		transactionHash: formatFelt(hash),
		status,
		success: status === 'rejected' ? false : formatSuccess(execution),
		revertReason: findRevertReason(receipt?.revert_reason ?? stage.failure_reason) ?? null,
		...formatFee(receipt?.actual_fee),
		blockNumber: isIndex(receipt?.block_number) ? receipt.block_number : null,
		events: events.map((event) => formatEvent(event, decode)),
	};
}

/** Whether a transaction succeeded. Returns null if it has not been executed. */
function formatSuccess(execution: unknown): boolean | null {
	return execution === undefined || execution === null ? null : execution === 'SUCCEEDED';
}

/** Formats a fee in whole coins. FRI is the smallest unit of STRK, and WEI is that of ETH. */
export function formatFee(given: unknown) {
	const { amount, unit } = isRecord(given) ? given : { amount: given, unit: 'WEI' };
	const smallest = tryParseFelt(amount);
	return {
		fee: smallest === undefined ? null : formatUnits(smallest, FEE_DECIMALS),
		feeUnit: smallest === undefined ? null : unit === 'FRI' ? 'STRK' : 'ETH',
	};
}
