import type { RpcReader } from '../../chain/reader';
import { encodeHex } from '../../values/hex';
import { parseFunction } from '../abi/call';
import { decodeOrNull } from '../abi/results';
import { callContract } from '../contractReads';
import { serializeTransaction, type UnsignedTransaction } from '../transactions/unsigned';

/**
 * The contracts that compute the data fee of a rollup: one for rollups such as Optimism, one for Scroll. Other chains
 * have no contracts at these addresses.
 */
const ORACLES = [
	'0x420000000000000000000000000000000000000f',
	'0x5300000000000000000000000000000000000002',
];
const DATA_FEE_FUNCTION = parseFunction('getL1Fee(bytes data) returns (uint256)');

/** The signature in an estimate. It has the full length, and its numbers do not compress, so the estimate is not too low. */
const ANY_SIGNATURE = { r: 2n ** 256n - 189n, s: 2n ** 255n - 19n, yParity: 1 };

/** Reads what a rollup charges for the data of a transaction in addition to gas; 0 if there is no such fee. */
export async function readDataFee(
	reader: RpcReader,
	transaction: UnsignedTransaction,
): Promise<bigint> {
	const bytes = encodeHex(serializeTransaction(transaction, ANY_SIGNATURE));
	const fees = await Promise.all(
		ORACLES.map(async (oracle) => {
			const answer = await callContract(reader, oracle, DATA_FEE_FUNCTION, [bytes]);
			const fee = decodeOrNull(answer, DATA_FEE_FUNCTION);
			return typeof fee === 'string' ? BigInt(fee) : 0n;
		}),
	);
	return fees.reduce((sum, fee) => sum + fee, 0n);
}
