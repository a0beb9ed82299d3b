import type { PreparedRequest } from '../../core/prepared';

/** The number of a transaction among those of its account: its nonce or seqno. Null where the chain numbers none. */
export function getNumber(request: PreparedRequest): bigint | null {
	switch (request.kind) {
		case 'transaction':
			return request.given.transaction.nonce;
		case 'starkTransaction':
			return request.given.nonce;
		case 'tonTransfer':
			return BigInt(request.given.seqno);
		case 'witnessTransaction':
			return null;
	}
}

/** The same transaction with another number. */
export function withNumber(request: PreparedRequest, number: bigint | null): PreparedRequest {
	if (number === null || number === getNumber(request)) return request;
	switch (request.kind) {
		case 'transaction': {
			const transaction = { ...request.given.transaction, nonce: number };
			// The bytes and the hash beside it are those of the number before.
			const beside = { unsigned: undefined, signingHash: undefined };
			return { ...request, given: { ...request.given, ...beside, transaction } };
		}
		case 'starkTransaction':
			return { ...request, given: { ...request.given, nonce: number } };
		case 'tonTransfer':
			return { ...request, given: { ...request.given, seqno: Number(number) } };
		case 'witnessTransaction':
			return request;
	}
}
