import { invalidResponse } from '../core/responses/response';
import { revertReason } from '../core/responses/reverts';
import { decimalText } from '../core/values/numbers';
import { isRecord } from '../core/values/read';
import { readable, withoutError } from './answers';
import { DECIMALS } from './fields';

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

export function pending(transactionId: string): Outcome {
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

const PROMISED = 'the outcome of a transaction';

/** What gettransactioninfobyid told; undefined for one that is not in a block. */
export function outcomeIn(body: unknown, transactionId: string): Outcome | undefined {
	const info = withoutError(body);
	if (!isRecord(info)) return invalidResponse(PROMISED, body);
	if (Object.keys(info).length === 0) return undefined;
	const { id, receipt = {}, blockNumber } = info;
	const isOwn = typeof id === 'string' && id.toLowerCase() === transactionId;
	const isIncluded = isOwn && blockNumber !== undefined;
	if (!isIncluded || !isRecord(receipt)) return invalidResponse(PROMISED, body);
	const contractResult = nameIn(receipt.result, info);
	const isFailed =
		nameIn(info.result, info) === 'FAILED' || ![null, 'SUCCESS'].includes(contractResult);
	return {
		transactionId,
		status: isFailed ? 'failed' : 'success',
		blockNumber: numberIn(blockNumber, info),
		timestamp: dateIn(info.blockTimeStamp, info),
		fee: decimalText(BigInt(numberIn(info.fee, info)), DECIMALS),
		energyUsed: numberIn(receipt.energy_usage_total, info),
		bandwidthUsed: numberIn(receipt.net_usage, info),
		contractResult,
		reason: isFailed ? reasonIn(info, contractResult) : null,
	};
}

/** A decoded revert, else the words of the chain, else the name. */
function reasonIn(info: Readonly<Record<string, unknown>>, contractResult: string | null): string {
	const { contractResult: returned, resMessage } = info;
	const [data] = Array.isArray(returned) ? (returned as unknown[]) : [];
	const words = typeof resMessage === 'string' ? readable(resMessage).trim() : '';
	const reverted = typeof data === 'string' && data !== '' ? revertReason(`0x${data}`) : undefined;
	return reverted ?? (words || (contractResult ?? 'The chain gave no reason'));
}

/** Null where it is left out. */
function nameIn(value: unknown, whole: unknown): string | null {
	if (value === undefined) return null;
	return typeof value === 'string' ? value : invalidResponse(PROMISED, whole);
}

/** 0 where it is left out. */
function numberIn(value: unknown = 0, whole: unknown): number {
	return Number.isSafeInteger(value) && Number(value) >= 0
		? Number(value)
		: invalidResponse(PROMISED, whole);
}

function dateIn(value: unknown, whole: unknown): string | null {
	if (value === undefined) return null;
	const date = new Date(numberIn(value, whole));
	return Number.isNaN(date.getTime()) ? invalidResponse(PROMISED, whole) : date.toISOString();
}
