import type { RpcReader } from '../../chain/reader';
import { invalidResponseError } from '../../net/responses/response';
import { Pauses } from '../../net/pacing/slices';
import type { JsonObject } from '../../values/json';
import { isRecord } from '../../values/parse';
import { quantityToNumber } from '../chainObjects';
import {
	buildFailedOutcome,
	formatRevertReason,
	isAddress,
	isCoinLog,
	parseLog,
	quantityToWei,
	type CoinMove,
	type Outcome,
	type SimulatedLog,
} from './outcome';
import { buildNonceOverride, formatCall, type SimulatedTransaction } from './transaction';
import { raise } from '../../errors/raise';

/** Simulates a transaction with debug_traceCall and its call tracer. */
export async function callTraceCall(
	reader: RpcReader,
	transaction: SimulatedTransaction,
	block: string,
): Promise<Outcome> {
	const overrides = buildNonceOverride(transaction);
	const config = {
		tracer: 'callTracer',
		tracerConfig: { withLog: true },
		...(Object.keys(overrides).length > 0 && { stateOverrides: overrides }),
	};
	const root = await reader.call('debug_traceCall', [formatCall(transaction), block, config]);
	if (!isFrame(root)) throw invalidResponseError('the trace of a call', root);
	const { gasUsed, error, output, revertReason } = root;
	if (error !== undefined && error !== null && error !== '') {
		const isTold = typeof revertReason === 'string' && revertReason !== '';
		const words = isTold ? revertReason : error;
		return buildFailedOutcome(formatRevertReason(output, words), gasUsed);
	}
	return {
		success: true,
		revertReason: null,
		gasUsed: quantityToNumber(gasUsed),
		...(await collectEffects(root)),
	};
}

function isFrame(frame: unknown): frame is JsonObject {
	return isRecord(frame) && typeof frame.type === 'string' && isAddress(frame.from);
}

/** A step of a call: a log, or another call that it makes. */
type Step = { readonly log: unknown } | { readonly frame: unknown };

/**
 * Collects the steps that were not undone, in the chain's order. The stack is a list: a node can answer a chain of
 * calls without an end.
 */
async function collectEffects(root: JsonObject): Promise<Pick<Outcome, 'logs' | 'coins'>> {
	const [logs, coins]: [SimulatedLog[], CoinMove[]] = [[], []];
	const pauses = new Pauses();
	const waiting: Step[] = [{ frame: root }];
	for (let step = waiting.pop(); step; step = waiting.pop()) {
		if ('log' in step) {
			const log = parseLog(step.log);
			if (!isCoinLog(log)) logs.push(log);
		} else {
			const { frame } = step;
			if (!isFrame(frame)) throw invalidResponseError('a call in a trace', frame);
			// A call that failed has no effect, because all of its steps were undone.
			if (frame.error) continue;
			const move = decodeMove(frame);
			if (move) coins.push(move);
			for (const next of listSteps(frame).reverse()) waiting.push(next);
		}
		await pauses.takeIfDue();
	}
	return { logs, coins };
}

/** The types of calls that can move coins from one account to another. */
const MOVING_TYPES: readonly unknown[] = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];

function decodeMove({ type, from, to, value }: JsonObject): CoinMove | undefined {
	if (!MOVING_TYPES.includes(type) || value === undefined || value === null) return undefined;
	const wei = quantityToWei(value) ?? raise(invalidResponseError('the value of a call', value));
	if (wei === 0n) return undefined;
	if (!isAddress(from) || !isAddress(to))
		throw invalidResponseError('the receiver of a call with value', to);
	return { from: from.toLowerCase(), to: to.toLowerCase(), value: wei };
}

/**
 * Lists the logs and the inner calls of a call in a trace, in order. The position of a log is the number of inner calls
 * before it.
 */
function listSteps({ calls: givenCalls, logs: givenLogs }: JsonObject): Step[] {
	const [calls, logs] = [toList(givenCalls), toList(givenLogs)];
	const steps: Step[] = [];
	let next = 0;
	for (const log of logs) {
		const before = quantityToNumber(isRecord(log) ? log.position : undefined) ?? calls.length;
		for (; next < calls.length && next < Number(before); next++) steps.push({ frame: calls[next] });
		steps.push({ log });
	}
	for (; next < calls.length; next++) steps.push({ frame: calls[next] });
	return steps;
}

function toList(list: unknown): readonly unknown[] {
	if (list === undefined || list === null) return [];
	return Array.isArray(list)
		? (list as unknown[])
		: raise(invalidResponseError('a list in a trace', list));
}
