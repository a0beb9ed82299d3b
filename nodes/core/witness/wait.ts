import type { PatientRestReader, RestCaller, RestReader } from '../chain/reader';
import { waitUntil } from '../chain/waiting';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { rethrow, isRecord } from '../values/parse';
import { isNotServed, throwIfError, decodeChainMessage } from './answers';
import { MIN_BLOCKS_ON_TOP, readHeadNumber } from './blocks';
import { isOnNode } from './send';
import { sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { decodeRevertReason, decodeStandardError } from '../net/responses/reverts';
import { SUN_DECIMALS, formatUnits } from '../values/units';
import { raise } from '../errors/raise';

/** The state of a transaction on the chain. */
export interface Finality {
	readonly outcome?: Outcome;
	/** The node's answer about the transaction, which contains the logs. */
	readonly info?: unknown;
	readonly isIrreversible: boolean;
}

export const NOT_IN_BLOCK: Finality = { isIrreversible: false };

/** Waits until the block of a transaction is irreversible. Returns the outcome, even if it failed. */
export async function waitForTransaction(
	reader: PatientRestReader,
	id: string,
	seconds: number,
): Promise<Outcome | undefined> {
	const end = await waitUntil(reader, {
		seconds,
		initial: NOT_IN_BLOCK,
		read: async () => await readFinality(id, reader),
		isDone: (known): known is Finality => known.isIrreversible,
	});
	return end.isDone ? end.known.outcome : await throwNotFinal(id, seconds, reader, end.failure);
}

/** Whether the node serves the methods below `/walletsolidity`, which show only irreversible blocks. */
const SOLIDIFIED_VIEW = sharedKey('witness.solidifiedView', () => ({ isServed: true }));

/**
 * Returns a hint if irreversible blocks were found by counting the blocks after them. This is as safe only while the
 * chain's block producers agree.
 */
export function findUnservedHint({ shared }: Pick<RestReader, 'shared'>): string | undefined {
	return shared(SOLIDIFIED_VIEW).isServed
		? undefined
		: `The chain node does not say which blocks are irreversible: ${MIN_BLOCKS_ON_TOP} blocks on top count instead.`;
}

/** Reads the outcome of a transaction, and whether its block is irreversible. */
export async function readFinality(id: string, reader: RestReader): Promise<Finality> {
	const view = reader.shared(SOLIDIFIED_VIEW);
	if (view.isServed) {
		const info = await readInfoIn('/walletsolidity', id, reader).catch(async (failure) => {
			if (!isNotServed(failure)) return rethrow(failure);
			view.isServed = false;
			return undefined;
		});
		if (view.isServed) {
			const outcome = parseOutcome(info, id);
			return { outcome, info, isIrreversible: outcome !== undefined };
		}
	}
	const [info, head] = await Promise.all([
		readInfoIn('/wallet', id, reader),
		readHeadNumber(reader),
	]);
	const outcome = parseOutcome(info, id);
	const block = outcome?.blockNumber ?? Infinity;
	return { outcome, info, isIrreversible: head - block >= MIN_BLOCKS_ON_TOP };
}

/** Reads the outcome of a transaction. Returns null if it is neither in a block nor pending. */
export async function readOutcome(reader: RestCaller, id: string): Promise<Outcome | null> {
	const inBlock = await readOutcomeInBlock(id, reader);
	if (inBlock) return inBlock;
	// The transaction may be pending, or in a block whose outcomes the node does not have yet.
	return (await isOnNode(reader, id)) ? buildPendingOutcome(id) : null;
}

/** Reads the outcome of a transaction in a block. Returns undefined if it is not in a block. */
export async function readOutcomeInBlock(
	id: string,
	reader: RestCaller,
): Promise<Outcome | undefined> {
	return parseOutcome(await readInfoIn('/wallet', id, reader), id);
}

async function readInfoIn(view: string, id: string, { call }: RestCaller): Promise<unknown> {
	return throwIfError(await call({ path: `${view}/gettransactioninfobyid`, body: { value: id } }));
}

/** Throws an error that describes the last known state of the transaction, when the waiting time has ended. */
async function throwNotFinal(
	id: string,
	seconds: number,
	reader: RestCaller,
	failure?: RequestFailure,
): Promise<never> {
	const time = `after ${seconds} s`;
	const notYet = `The transaction was not irreversible ${time}.`;
	if (failure) throw withAdvice(failure, notYet);
	// If the node does not answer, the state of the transaction is unknown. The error says so, because a payment that
	// is built again may be made twice.
	const outcome = await readOutcomeInBlock(id, reader).catch(async (problem) =>
		rethrow(problem instanceof RequestFailure ? withAdvice(problem, notYet) : problem),
	);
	if (!outcome) {
		throw new RequestFailure(`The transaction is not in a block ${time}`, {
			description:
				'The transaction was not broadcast to this chain, has expired, or waits for a block. It usually expires a minute after it was built. Until then, broadcast the same transaction again. Only after that, build another transaction.',
		});
	}
	const failed = outcome.status === 'failed' ? ` It failed: ${outcome.reason}.` : '';
	throw new RequestFailure(`The transaction is in a block, but not irreversible ${time}`, {
		description: `The transaction is in block ${outcome.blockNumber}.${failed} 'Wait For' sets how long to wait.`,
	});
}

export interface Outcome {
	readonly transactionId: string;
	readonly status: 'success' | 'failed' | 'pending';
	readonly blockNumber: number | null;
	readonly timestamp: string | null;
	readonly fee: string | null;
	readonly energyUsed: number | null;
	readonly bandwidthUsed: number | null;
	readonly contractResult: string | null;
	readonly reason: string | null;
}

export function buildPendingOutcome(transactionId: string): Outcome {
	return {
		transactionId,
		status: 'pending',
		blockNumber: null,
		timestamp: null,
		fee: null,
		energyUsed: null,
		bandwidthUsed: null,
		contractResult: null,
		reason: null,
	};
}

const PROMISED_OUTCOME = 'the outcome of a transaction';

/** Parses the answer of gettransactioninfobyid. Returns undefined for a transaction that is not in a block. */
export function parseOutcome(body: unknown, transactionId: string): Outcome | undefined {
	const info = throwIfError(body);
	if (!isRecord(info)) throw invalidResponseError(PROMISED_OUTCOME, body);
	if (Object.keys(info).length === 0) return undefined;
	const { id, receipt = {}, blockNumber } = info;
	const isOwn = typeof id === 'string' && id.toLowerCase() === transactionId;
	const isIncluded = isOwn && blockNumber !== undefined;
	if (!isIncluded || !isRecord(receipt)) throw invalidResponseError(PROMISED_OUTCOME, body);
	const contractResult = parseNameOrNull(receipt.result, info);
	const isFailed =
		parseNameOrNull(info.result, info) === 'FAILED' || !UNFAILED.includes(contractResult);
	return {
		transactionId,
		status: isFailed ? 'failed' : 'success',
		blockNumber: parseNumberAnswer(blockNumber, info),
		timestamp: parseDateOrNull(info.blockTimeStamp, info),
		fee: formatUnits(BigInt(parseNumberAnswer(info.fee, info)), SUN_DECIMALS),
		energyUsed: parseNumberAnswer(receipt.energy_usage_total, info),
		bandwidthUsed: parseNumberAnswer(receipt.net_usage, info),
		contractResult,
		reason: isFailed ? getReason(info, contractResult) : null,
	};
}

/**
 * The results of a transaction that did not fail. If it calls no contract, the result is missing (null), but some nodes
 * write DEFAULT.
 */
const UNFAILED: ReadonlyArray<string | null> = [null, 'DEFAULT', 'SUCCESS'];

/**
 * Returns the reason why a transaction failed. It is a decoded standard error of the contract, or else the words of
 * the chain or the name of the result. The data of the contract's own error follows them.
 */
function getReason(info: Readonly<Record<string, unknown>>, contractResult: string | null): string {
	const { contractResult: returned, resMessage } = info;
	const [first] = Array.isArray(returned) ? (returned as unknown[]) : [];
	const data = typeof first === 'string' && first !== '' ? `0x${first}` : undefined;
	const known = data && decodeStandardError(data);
	if (known) return known;
	const words = typeof resMessage === 'string' ? decodeChainMessage(resMessage).trim() : '';
	const said = words || (contractResult ?? 'The chain gave no reason');
	const shown = data && decodeRevertReason(data);
	return shown ? `${said} (${shown})` : said;
}

/** A missing name is null. */
function parseNameOrNull(value: unknown, whole: unknown): string | null {
	if (value === undefined) return null;
	return typeof value === 'string' ? value : raise(invalidResponseError(PROMISED_OUTCOME, whole));
}

/** A missing number is 0. */
function parseNumberAnswer(value: unknown = 0, whole: unknown): number {
	return Number.isSafeInteger(value) && Number(value) >= 0
		? Number(value)
		: raise(invalidResponseError(PROMISED_OUTCOME, whole));
}

function parseDateOrNull(value: unknown, whole: unknown): string | null {
	if (value === undefined) return null;
	const date = new Date(parseNumberAnswer(value, whole));
	return Number.isNaN(date.getTime())
		? raise(invalidResponseError(PROMISED_OUTCOME, whole))
		: date.toISOString();
}
