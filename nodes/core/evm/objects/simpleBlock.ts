import { asDate, asDecimal, asNumber, present, type ChainObject } from './chainObject';
import { isRecord } from '../../values/parseJson';

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
