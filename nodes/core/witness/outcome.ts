import { invalidResponseError } from '../net/responses/response';
import { decodeRevertReason, decodeStandardError } from '../net/responses/reverts';
import { SUN_DECIMALS, formatUnits } from '../values/units';
import { isRecord } from '../values/parse';
import { decodeChainMessage, throwIfError } from './answers';
import { raise } from '../errors/raise';

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

/** The answer of gettransactioninfobyid; undefined for a transaction that is not in a block. */
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

/** Some nodes write out what others leave out: where no contract was called, there is no result. */
const UNFAILED: ReadonlyArray<string | null> = [null, 'DEFAULT', 'SUCCESS'];

/**
 * One of the chain's own errors, or else the chain's words or the name, followed by the data of the contract's own error.
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
