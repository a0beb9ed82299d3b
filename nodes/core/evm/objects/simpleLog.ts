import { asNumber, present, type ChainObject } from './chainObject';

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
