import { asDecimal, asNumber, present, type ChainObject } from './chainObject';
import { simpleLog } from './simpleLog';
import { isRecord } from '../../values/parseJson';

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
			fee: feeOf(receipt),
		}),
		logs: Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord).map(simpleLog) : [],
	};
}

/** Null for receipts from before there was a status. */
function statusOf({ status }: ChainObject): string | null {
	const code = asNumber(status);
	return code === null ? null : code === 0 ? 'reverted' : 'success';
}

/** All that was paid, in wei: for gas, for blobs, and on some rollups for the chain below. */
function feeOf(receipt: ChainObject): string | null {
	const gas = product(receipt.gasUsed, receipt.effectiveGasPrice);
	const blobs = product(receipt.blobGasUsed, receipt.blobGasPrice);
	const below = asDecimal(receipt.l1Fee);
	return gas === null ? null : (gas + (blobs ?? 0n) + BigInt(below ?? 0)).toString();
}

function product(amount: unknown, price: unknown): bigint | null {
	const [units, each] = [asDecimal(amount), asDecimal(price)];
	return units === null || each === null ? null : BigInt(units) * BigInt(each);
}
