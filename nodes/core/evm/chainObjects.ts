import type { JsonObject } from '../values/json';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { rpcError } from '../net/responses/rpcErrors';
import { ETHER_DECIMALS, formatUnits } from '../values/units';
import { isRecord } from '../values/parse';
import { raise } from '../errors/raise';

/** A documented null means "not found" and is a valid answer. */
export function objectOrNullParser(promised: string) {
	return (result: unknown): JsonObject | null =>
		result === null || isRecord(result) ? result : raise(invalidResponseError(promised, result));
}

export function hexParser(promised: string) {
	return (result: unknown): string =>
		typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result)
			? result
			: raise(invalidResponseError(promised, result));
}

export function quantityParser(promised: string) {
	return (result: unknown): bigint =>
		quantityToBigInt(result) ?? raise(invalidResponseError(promised, result));
}

export function objectListParser(promised: string) {
	return (result: unknown): readonly JsonObject[] => {
		if (!Array.isArray(result) || !result.every(isRecord))
			throw invalidResponseError(promised, result);
		const end = result.findIndex(({ error, action }) => isRecord(error) && action === undefined);
		return end < 0 ? result : raise(brokenOffError(result[end]?.error, end));
	};
}

/** Some nodes stream a list, and report at its end that they could not continue. */
function brokenOffError(error: unknown, before: number): RequestFailure {
	const { message } = rpcError('The list', error);
	return new RequestFailure(message, {
		description: `The answer of the chain node ended after ${before} entries.`,
	});
}

/** A reason that is not text counts as no reason. */
export function textOrNull(given: unknown): string | null {
	return typeof given === 'string' ? given : null;
}

/** A quantity that always fits a number: a block number, an index, a nonce, an amount of gas. */
export function quantityToNumber(quantity: unknown): number | string | null {
	const exact = quantityToBigInt(quantity);
	if (exact === undefined) return null;
	return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
}

/** A quantity that may not fit a number, such as an amount in wei. It is exact decimal text. */
export function quantityToDecimal(quantity: unknown): string | null {
	return quantityToBigInt(quantity)?.toString() ?? null;
}

/** Converts Unix seconds to an ISO date. */
export function quantityToIsoDate(quantity: unknown): string | null {
	const milliseconds = Number(quantityToBigInt(quantity) ?? NaN) * 1000;
	return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : null;
}

function quantityToBigInt(quantity: unknown): bigint | undefined {
	if (typeof quantity === 'number' && Number.isSafeInteger(quantity)) return BigInt(quantity);
	return typeof quantity === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(quantity)
		? BigInt(quantity)
		: undefined;
}

/** Leaves out keys that the chain left out, so that a legacy transaction shows no newer fields. */
export function withoutNulls(object: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** The fields of a block that workflows use. Numbers become readable without losing digits. */
export function formatBlock(block: JsonObject): JsonObject {
	const transactions = Array.isArray(block.transactions) ? (block.transactions as unknown[]) : [];
	return {
		...formatHeader(block),
		...withoutNulls({ size: quantityToNumber(block.size) }),
		transactionCount: transactions.length,
		transactions: transactions.map((transaction) =>
			isRecord(transaction) ? formatTransaction(transaction) : transaction,
		),
	};
}

/** A block without its transactions. */
export function formatHeader(block: JsonObject): JsonObject {
	return withoutNulls({
		number: quantityToNumber(block.number),
		hash: block.hash ?? null,
		parentHash: block.parentHash ?? null,
		timestamp: quantityToIsoDate(block.timestamp),
		miner: block.miner ?? null,
		gasLimit: quantityToNumber(block.gasLimit),
		gasUsed: quantityToNumber(block.gasUsed),
		baseFeePerGas: quantityToDecimal(block.baseFeePerGas),
	});
}

export function formatTransaction(transaction: JsonObject): JsonObject {
	return {
		...withoutNulls({
			hash: transaction.hash ?? null,
			blockNumber: quantityToNumber(transaction.blockNumber),
			transactionIndex: quantityToNumber(transaction.transactionIndex),
			type: quantityToNumber(transaction.type),
			nonce: quantityToNumber(transaction.nonce),
			from: transaction.from ?? null,
		}),
		// Null when the transaction creates a contract.
		to: transaction.to ?? null,
		...withoutNulls({
			value: quantityToDecimal(transaction.value),
			gas: quantityToNumber(transaction.gas),
			gasPrice: quantityToDecimal(transaction.gasPrice),
			maxFeePerGas: quantityToDecimal(transaction.maxFeePerGas),
			maxPriorityFeePerGas: quantityToDecimal(transaction.maxPriorityFeePerGas),
			input: transaction.input ?? null,
		}),
	};
}

/** A log with its numbers made readable. */
export function formatLog(log: JsonObject): JsonObject {
	return withoutNulls({
		address: log.address ?? null,
		topics: log.topics ?? null,
		data: log.data ?? null,
		blockNumber: quantityToNumber(log.blockNumber),
		blockHash: log.blockHash ?? null,
		transactionHash: log.transactionHash ?? null,
		transactionIndex: quantityToNumber(log.transactionIndex),
		logIndex: quantityToNumber(log.logIndex),
	});
}

/** The outcome of a transaction, with its numbers made readable. */
export function formatReceipt(receipt: JsonObject): JsonObject {
	return {
		...withoutNulls({
			transactionHash: receipt.transactionHash ?? null,
			status: formatStatus(receipt),
			blockNumber: quantityToNumber(receipt.blockNumber),
			blockHash: receipt.blockHash ?? null,
			transactionIndex: quantityToNumber(receipt.transactionIndex),
			type: quantityToNumber(receipt.type),
			from: receipt.from ?? null,
		}),
		// Null when the transaction creates a contract.
		to: receipt.to ?? null,
		...withoutNulls({
			contractAddress: receipt.contractAddress ?? null,
			gasUsed: quantityToNumber(receipt.gasUsed),
			effectiveGasPrice: quantityToDecimal(receipt.effectiveGasPrice),
			...formatFees(receipt),
		}),
		logs: Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord).map(formatLog) : [],
	};
}

/** Null for receipts from the time before there was a status. */
function formatStatus({ status }: JsonObject): string | null {
	const code = quantityToNumber(status);
	return code === null ? null : code === 0 ? 'reverted' : 'success';
}

/** The total paid for gas, for blobs, and on some rollups for the chain below. In wei, and in whole coins. */
function formatFees(receipt: JsonObject): JsonObject {
	const gas = multiplyQuantities(receipt.gasUsed, receipt.effectiveGasPrice);
	const blobs = multiplyQuantities(receipt.blobGasUsed, receipt.blobGasPrice);
	const below = quantityToDecimal(receipt.l1Fee);
	if (gas === null) return {};
	const fee = gas + (blobs ?? 0n) + BigInt(below ?? 0);
	return { fee: fee.toString(), feeCoins: formatUnits(fee, ETHER_DECIMALS) };
}

function multiplyQuantities(amount: unknown, price: unknown): bigint | null {
	const [units, each] = [quantityToDecimal(amount), quantityToDecimal(price)];
	return units === null || each === null ? null : BigInt(units) * BigInt(each);
}

/** These calls run the code of another account in the caller's place, so the value that they name does not move. */
const IN_PLACE_CALL_TYPES: readonly unknown[] = ['delegatecall', 'callcode'];

/** The fields of a trace that workflows use. Each kind of trace names its parties differently. */
export function formatTrace(trace: JsonObject): JsonObject {
	const action = isRecord(trace.action) ? trace.action : {};
	const result = isRecord(trace.result) ? trace.result : {};
	return {
		...withoutNulls({
			blockNumber: quantityToNumber(trace.blockNumber),
			transactionHash: trace.transactionHash ?? null,
			transactionPosition: quantityToNumber(trace.transactionPosition),
			traceAddress: trace.traceAddress ?? null,
			type: trace.type ?? null,
			callType: action.callType ?? null,
			from: action.from ?? action.address ?? null,
		}),
		// A contract that could not be created has no address.
		to: action.to ?? result.address ?? action.refundAddress ?? action.author ?? null,
		...withoutNulls({
			value: IN_PLACE_CALL_TYPES.includes(action.callType)
				? '0'
				: quantityToDecimal(action.value ?? action.balance),
			gasUsed: quantityToNumber(result.gasUsed),
			error: trace.error ?? null,
		}),
	};
}
