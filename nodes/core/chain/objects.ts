import { RequestFailure } from '../errors/requestFailure';
import { invalidResponse } from '../responses/response';
import { rpcFailure } from '../responses/rpcErrors';
import { decimalText, ETHER } from '../values/numbers';
import { isRecord } from '../values/read';

/** What a chain says of its blocks and transactions; all numbers are 0x-hex. */
export type ChainObject = Readonly<Record<string, unknown>>;

/** A documented null stands for "not found" and is an answer. */
export function objectOrNull(promised: string) {
	return (result: unknown): ChainObject | null =>
		result === null || isRecord(result) ? result : invalidResponse(promised, result);
}

export function hexString(promised: string) {
	return (result: unknown): string =>
		typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result)
			? result
			: invalidResponse(promised, result);
}

export function exactQuantity(promised: string) {
	return (result: unknown): bigint => asBigInt(result) ?? invalidResponse(promised, result);
}

export function listOfObjects(promised: string) {
	return (result: unknown): readonly ChainObject[] => {
		if (!Array.isArray(result) || !result.every(isRecord)) return invalidResponse(promised, result);
		const end = result.findIndex(({ error, action }) => isRecord(error) && action === undefined);
		return end < 0 ? result : brokenOff(result[end]?.error, end);
	};
}

/** Some nodes stream a list, and say at its end that they could not go on. */
function brokenOff(error: unknown, before: number): never {
	const { message } = rpcFailure('The list', error);
	throw new RequestFailure(message, {
		description: `The node broke off its answer after ${before} entries.`,
	});
}

/** A quantity that always fits a number: a block number, an index, a nonce, an amount of gas. */
export function asNumber(quantity: unknown): number | string | null {
	const exact = asBigInt(quantity);
	if (exact === undefined) return null;
	return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
}

/** A quantity that may not fit a number, such as an amount in wei: decimal text, exact. */
export function asDecimal(quantity: unknown): string | null {
	return asBigInt(quantity)?.toString() ?? null;
}

/** Seconds since 1970, as a date. */
export function asDate(quantity: unknown): string | null {
	const milliseconds = Number(asBigInt(quantity) ?? NaN) * 1000;
	return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : null;
}

function asBigInt(quantity: unknown): bigint | undefined {
	if (typeof quantity === 'number' && Number.isSafeInteger(quantity)) return BigInt(quantity);
	return typeof quantity === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(quantity)
		? BigInt(quantity)
		: undefined;
}

/** Leaves out the keys that the chain left out, so that a legacy transaction shows no newer fields. */
export function present(object: ChainObject): ChainObject {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** The fields of a block that automations use, numbers made readable, none of its digits lost. */
export function simpleBlock(block: ChainObject): ChainObject {
	const transactions = Array.isArray(block.transactions) ? (block.transactions as unknown[]) : [];
	return {
		...simpleHeader(block),
		...present({ size: asNumber(block.size) }),
		transactionCount: transactions.length,
		transactions: transactions.map((transaction) =>
			isRecord(transaction) ? simpleTransaction(transaction) : transaction,
		),
	};
}

/** A block without its transactions. */
export function simpleHeader(block: ChainObject): ChainObject {
	return present({
		number: asNumber(block.number),
		hash: block.hash ?? null,
		parentHash: block.parentHash ?? null,
		timestamp: asDate(block.timestamp),
		miner: block.miner ?? null,
		gasLimit: asNumber(block.gasLimit),
		gasUsed: asNumber(block.gasUsed),
		baseFeePerGas: asDecimal(block.baseFeePerGas),
	});
}

export function simpleTransaction(transaction: ChainObject): ChainObject {
	return {
		...present({
			hash: transaction.hash ?? null,
			blockNumber: asNumber(transaction.blockNumber),
			transactionIndex: asNumber(transaction.transactionIndex),
			type: asNumber(transaction.type),
			nonce: asNumber(transaction.nonce),
			from: transaction.from ?? null,
		}),
		// Null when the transaction creates a contract.
		to: transaction.to ?? null,
		...present({
			value: asDecimal(transaction.value),
			gas: asNumber(transaction.gas),
			gasPrice: asDecimal(transaction.gasPrice),
			maxFeePerGas: asDecimal(transaction.maxFeePerGas),
			maxPriorityFeePerGas: asDecimal(transaction.maxPriorityFeePerGas),
			input: transaction.input ?? null,
		}),
	};
}

/** A log with its numbers made readable. */
export function simpleLog(log: ChainObject): ChainObject {
	return present({
		address: log.address ?? null,
		topics: log.topics ?? null,
		data: log.data ?? null,
		blockNumber: asNumber(log.blockNumber),
		blockHash: log.blockHash ?? null,
		transactionHash: log.transactionHash ?? null,
		transactionIndex: asNumber(log.transactionIndex),
		logIndex: asNumber(log.logIndex),
	});
}

/** What became of a transaction, with its numbers made readable. */
export function simpleReceipt(receipt: ChainObject): ChainObject {
	return {
		...present({
			transactionHash: receipt.transactionHash ?? null,
			status: statusOf(receipt),
			blockNumber: asNumber(receipt.blockNumber),
			blockHash: receipt.blockHash ?? null,
			transactionIndex: asNumber(receipt.transactionIndex),
			type: asNumber(receipt.type),
			from: receipt.from ?? null,
		}),
		// Null when the transaction creates a contract.
		to: receipt.to ?? null,
		...present({
			contractAddress: receipt.contractAddress ?? null,
			gasUsed: asNumber(receipt.gasUsed),
			effectiveGasPrice: asDecimal(receipt.effectiveGasPrice),
			...feesOf(receipt),
		}),
		logs: Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord).map(simpleLog) : [],
	};
}

/** Null for receipts from before there was a status. */
function statusOf({ status }: ChainObject): string | null {
	const code = asNumber(status);
	return code === null ? null : code === 0 ? 'reverted' : 'success';
}

/** All that was paid: for gas, for blobs, and on some rollups for the chain below. In wei, and in whole coins. */
function feesOf(receipt: ChainObject): ChainObject {
	const gas = product(receipt.gasUsed, receipt.effectiveGasPrice);
	const blobs = product(receipt.blobGasUsed, receipt.blobGasPrice);
	const below = asDecimal(receipt.l1Fee);
	if (gas === null) return {};
	const fee = gas + (blobs ?? 0n) + BigInt(below ?? 0);
	return { fee: fee.toString(), feeCoins: decimalText(fee, ETHER) };
}

function product(amount: unknown, price: unknown): bigint | null {
	const [units, each] = [asDecimal(amount), asDecimal(price)];
	return units === null || each === null ? null : BigInt(units) * BigInt(each);
}

/** Calls that run the code of another account in the caller's place: the value that they name goes nowhere. */
const IN_PLACE: readonly unknown[] = ['delegatecall', 'callcode'];

/** The fields of a trace that automations use. Its kinds name their parties differently. */
export function simpleTrace(trace: ChainObject): ChainObject {
	const action = isRecord(trace.action) ? trace.action : {};
	const result = isRecord(trace.result) ? trace.result : {};
	return {
		...present({
			blockNumber: asNumber(trace.blockNumber),
			transactionHash: trace.transactionHash ?? null,
			transactionPosition: asNumber(trace.transactionPosition),
			traceAddress: trace.traceAddress ?? null,
			type: trace.type ?? null,
			callType: action.callType ?? null,
			from: action.from ?? action.address ?? null,
		}),
		// A contract that could not be created has no address.
		to: action.to ?? result.address ?? action.refundAddress ?? action.author ?? null,
		...present({
			value: IN_PLACE.includes(action.callType) ? '0' : asDecimal(action.value ?? action.balance),
			gasUsed: asNumber(result.gasUsed),
			error: trace.error ?? null,
		}),
	};
}
