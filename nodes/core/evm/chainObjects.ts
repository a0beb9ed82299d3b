import type { JsonObject } from '../values/json';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { rpcError } from '../net/responses/rpcErrors';
import { ETHER_DECIMALS, formatUnits } from '../values/units';
import { isRecord } from '../values/parse';
import { raise } from '../errors/raise';

/** Builds a parser of objects. Null is accepted as well, because it is a node's documented answer for "not found". */
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

/** Builds the error for a list whose last entry says that the node could not continue it. */
function brokenOffError(error: unknown, before: number): RequestFailure {
	const { message } = rpcError('The list', error);
	return new RequestFailure(message, {
		description: `The answer of the chain node ended after ${before} entries.`,
	});
}

/** Returns null for a value that is not text. */
export function textOrNull(given: unknown): string | null {
	return typeof given === 'string' ? given : null;
}

/** Converts a quantity that usually fits a number, such as a block number. A larger quantity becomes text. */
export function quantityToNumber(quantity: unknown): number | string | null {
	const exact = quantityToBigInt(quantity);
	if (exact === undefined) return null;
	return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
}

/** Converts a quantity that may be too large for a number, such as an amount in wei, to exact decimal text. */
export function quantityToDecimal(quantity: unknown): string | null {
	return quantityToBigInt(quantity)?.toString() ?? null;
}

/** Converts a quantity of Unix seconds to an ISO date. */
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

/** Leaves out the keys whose value is null, so that an old transaction does not show fields of newer types. */
export function withoutNulls(object: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Returns the fields of a block that workflows use. Numbers become readable without losing digits. */
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
		// `to` is null if the transaction creates a contract.
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

/** Makes the numbers of a log readable. */
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

/** Returns the outcome of a transaction, with readable numbers. */
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
		// `to` is null if the transaction creates a contract.
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

/** Returns null for an old receipt, which has no status. */
function formatStatus({ status }: JsonObject): string | null {
	const code = quantityToNumber(status);
	return code === null ? null : code === 0 ? 'reverted' : 'success';
}

/** Adds up the fees for gas, for blobs, and on some rollups for the chain below, in wei and in whole coins. */
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

/** The types of calls that run another account's code in the place of the caller. The value that such a call names does not move. */
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
		// `to` is null if a contract could not be created, because it then has no address.
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
