import { RequestFailure } from '../../errors/requestFailure';
import { recordParser } from '../../net/responses/response';
import { catching, InvalidValue } from '../../values/parse';
import { throwIfError } from '../answers';
import { findFirstDifference } from '../difference';
import { parseBuiltTransaction } from '../rawData';
import type { Draft } from './draft';

/** The values that the bytes of a transaction must have. */
export interface ExpectedTransaction extends Pick<Draft, 'contract' | 'parameters' | 'memo'> {
	/** The highest fee for energy, in sun. It is 0 if the transaction calls no contract. */
	readonly feeLimit?: bigint;
}

export type BuiltTransaction = ReturnType<typeof parseTransactionAnswer>;

const parseTransactionAnswer = recordParser('a transaction', 'txID', 'raw_data', 'raw_data_hex');

export function parseBuiltAnswer(body: unknown): BuiltTransaction {
	return parseTransactionAnswer(throwIfError(body));
}

const OTHER_TRANSACTION_ADVICE =
	'Do not sign it. The chain node is faulty or cannot be trusted: build the transaction with another chain node.';

/** Returns a transaction if its bytes have exactly the requested values. Any other data in the answer is left out. */
export function verifyBuilt(
	built: BuiltTransaction,
	{ contract, parameters, memo = '', feeLimit = 0n }: ExpectedTransaction,
): BuiltTransaction {
	const decoded = catching(InvalidValue, () => parseBuiltTransaction(built));
	if (decoded instanceof InvalidValue) {
		throw otherTransactionError(`it must be ${decoded.message}`);
	}
	const said = {
		contract: decoded.contract,
		...decoded.parameters,
		fee_limit: decoded.feeLimit,
		memo: decoded.data,
		Permission_id: decoded.permissionId,
	};
	const wanted = { contract, ...parameters, fee_limit: feeLimit, memo, Permission_id: 0n };
	const found = findFirstDifference(said, wanted, 'transaction');
	if (found) throw otherTransactionError(`${found.name} is ${found.one}, not ${found.other}`);
	checkExpiry(decoded.expiration);
	const { visible = false, txID, raw_data, raw_data_hex } = built;
	return { visible, txID, raw_data, raw_data_hex };
}

const MINUTE_MS = 60_000;
/**
 * Nodes build transactions that are valid for a minute. If one stays valid for long, anybody could broadcast it after
 * it was replaced.
 */
const MAX_VALIDITY_MINUTES = 60;
/** The clocks of n8n's machine and of the chain may differ by this much. */
const MAX_SKEW_MINUTES = 10;

/**
 * Checks the expiration of a transaction. The clock of n8n's machine is used, because the node's clock cannot be
 * verified.
 */
function checkExpiry(expiration: bigint): void {
	const now = Date.now();
	const left = expiration - BigInt(now);
	const times = `it could be broadcast until ${formatIsoTime(expiration)}, and the clock of this machine says ${formatIsoTime(BigInt(now))}`;
	if (left > MAX_VALIDITY_MINUTES * MINUTE_MS) {
		throw new RequestFailure(
			`The chain node built a transaction that is valid for more than ${MAX_VALIDITY_MINUTES} minutes: ${times}`,
			{
				description: `${OTHER_TRANSACTION_ADVICE} If the clock of this machine is wrong, correct the clock instead.`,
			},
		);
	}
	if (left < -MAX_SKEW_MINUTES * MINUTE_MS) {
		throw new RequestFailure(
			`The chain node built a transaction that has expired already: ${times}`,
			{
				description:
					'The chain node is behind its chain, so use another chain node to build the transaction. If the clock of this machine is wrong, correct the clock instead.',
			},
		);
	}
}

const LATEST_DATE_MS = 8_640_000_000_000_000n;

/** Takes milliseconds since 1970. */
function formatIsoTime(milliseconds: bigint): string {
	return milliseconds <= LATEST_DATE_MS
		? new Date(Number(milliseconds)).toISOString()
		: `${milliseconds} ms after 1970`;
}

function otherTransactionError(reason: string): RequestFailure {
	return new RequestFailure(
		`The chain node built a different transaction than was asked for: ${reason}`,
		{
			description: OTHER_TRANSACTION_ADVICE,
		},
	);
}
