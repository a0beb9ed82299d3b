import type { RpcReader } from '../../chain/reader';
import { isPermanent, RequestFailure } from '../../errors/requestFailure';
import { findRevertData, isContractFailure } from '../../net/responses/reverts';
import { isLimitNamed } from '../../net/responses/rpcErrors';
import { isRecord, rethrow } from '../../values/parse';
import { buildFailedOutcome, formatRevertReason, type Outcome } from './outcome';
import { sharedKey } from '../../net/pacing/shared';

export type SimulationMethod = 'eth_simulateV1' | 'debug_traceCall';

/** The codes of nodes for a method that they do not know, do not support, or do not allow. */
const UNKNOWN_METHOD_CODES: readonly unknown[] = [-32601, -32004, -32600];
const UNKNOWN_METHOD_PATTERN =
	/\b(method|api|namespace|module|endpoint|eth_simulatev1|debug_tracecall)\b.{0,80}(not (be )?(found|exist|supported|available|allowed|enabled|implemented|whitelisted)|does ?n[o']t exist|is unknown|unsupported|disabled|unavailable|crashed|forbidden)|(unknown|unsupported|no such|invalid|not supported) (rpc )?method|not implemented|unknown tracer|tracer not found|unsupported tracer|missing keys: \["to"\]/i;

/** Whether the node lacks the method, or does not support it for this transaction. */
export function isUnknownMethod(failure: unknown): failure is RequestFailure {
	if (!isPermanent(failure) || isLimitNamed(failure.message)) return false;
	const { answer, message, httpCode } = failure;
	const error = isRecord(answer) && isRecord(answer.error) ? answer.error : answer;
	const code = isRecord(error) ? error.code : undefined;
	return (
		UNKNOWN_METHOD_CODES.includes(code) ||
		UNKNOWN_METHOD_PATTERN.test(message) ||
		(httpCode !== undefined && [404, 405, 501].includes(httpCode))
	);
}

/**
 * Whether a code means that the node refuses the transaction as invalid: a code of eth_simulateV1, or the code for
 * "transaction rejected" (-32003).
 */
const isRefusalCode = (code: unknown) =>
	code === -32003 || code === 3 || (typeof code === 'number' && code <= -38010 && code >= -38026);
const REFUSAL_PATTERN =
	/insufficient (funds|balance)|(intrinsic|out of|not enough|insufficient) gas|gas (too (low|high)|required exceeds|limit (is )?(too|reached|exceed))|gas limit|exceeds? (the )?(block )?gas|fee ?cap|fee per gas|base ?fee|max ?fee|gas ?price|init ?code|nonce|sender (is )?not an eoa/i;

/** The codes for a request that the node did not accept. They say nothing about the transaction. */
const REQUEST_ERROR_CODES: readonly unknown[] = [-32700, -32602];

/** The outcome of a transaction that the chain would refuse, for example for lack of funds. Other failures are thrown. */
export function toRefusedOutcome(failure: unknown): Outcome {
	if (!isTransactionRefused(failure)) return rethrow(failure);
	const data = findRevertData(failure.answer);
	return buildFailedOutcome(formatRevertReason(data, failure.message));
}

function isTransactionRefused(failure: unknown): failure is RequestFailure {
	if (!isPermanent(failure) || failure.httpCode !== undefined || failure.maybeExecuted)
		return false;
	const { answer, message } = failure;
	const code = isRecord(answer) ? answer.code : undefined;
	if (REQUEST_ERROR_CODES.includes(code)) return false;
	if (isRefusalCode(code) || isContractFailure(failure)) return true;
	return !isLimitNamed(message) && REFUSAL_PATTERN.test(message);
}

/** The methods that the node lacks, which all items of a run share. */
const UNKNOWN_METHODS = sharedKey('evm.unknownMethods', () => new Set<SimulationMethod>());

/** Simulates with the first method that the node has. */
export async function withSimulationMethod<T>(
	reader: RpcReader,
	run: Readonly<Record<SimulationMethod, () => Promise<T>>>,
	isForOther: (failure: unknown) => boolean,
): Promise<{ readonly by: SimulationMethod; readonly result: T }> {
	const unknown = reader.shared(UNKNOWN_METHODS);
	const words: string[] = [];
	for (const by of ['eth_simulateV1', 'debug_traceCall'] as const) {
		if (unknown.has(by)) continue;
		try {
			return { by, result: await run[by]() };
		} catch (failure) {
			if (!(failure instanceof RequestFailure) || !isForOther(failure)) return rethrow(failure);
			if (getErrorCode(failure) === -32601) unknown.add(by);
			words.push(`${by}: ${failure.message}.`);
		}
	}
	throw noMethodError(words);
}

function getErrorCode({ answer }: RequestFailure): unknown {
	return isRecord(answer) ? answer.code : undefined;
}

function noMethodError(words: readonly string[]): RequestFailure {
	return new RequestFailure('The chain node cannot simulate a transaction', {
		description: [
			'It has neither eth_simulateV1 nor debug_traceCall, or not for this transaction. Ask another chain node, such as a chain node with debug methods.',
			...words,
		].join(' '),
	});
}
