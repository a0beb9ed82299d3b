import type { RpcReader } from '../../chain/reader';
import { invalidResponseError } from '../../net/responses/response';
import { Pauses } from '../../net/pacing/slices';
import type { JsonObject } from '../../values/json';
import { isRecord } from '../../values/parse';
import { numberToHex } from '../../values/numbers';
import { quantityToNumber } from '../chainObjects';
import {
	buildFailedOutcome,
	decodeCoinLog,
	formatRevertReason,
	isCoinLog,
	parseLog,
	type CoinMove,
	type Outcome,
	type SimulatedLog,
} from './outcome';
import { buildLooks, type SimulatedRead } from './looks';
import type { SimulationTerms } from './terms';
import { buildNonceOverride, formatCall } from './transaction';
import { raise } from '../../errors/raise';

/** What was read before and after the transaction; undefined if the called contract failed. */
export interface ReadPair {
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/** What a simulation reads, and whether it logs coin transfers. If it does, some nodes leave out other logs. */
interface Wanted {
	readonly traceTransfers: boolean;
	readonly reads: readonly SimulatedRead[];
}

/** Simulates a transaction in a block of its own, with reads before and after it. */
export async function callSimulateV1(
	reader: RpcReader,
	{ transaction, block, baseFee }: SimulationTerms,
	{ traceTransfers, reads }: Wanted,
): Promise<{ readonly outcome: Outcome; readonly pairs: readonly ReadPair[] }> {
	const { looks, code } = buildLooks(reads);
	const stateOverrides = { ...code, ...buildNonceOverride(transaction) };
	const state = {
		...(baseFee !== undefined && { blockOverrides: { baseFeePerGas: numberToHex(baseFee) } }),
		...(Object.keys(stateOverrides).length > 0 && { stateOverrides }),
		calls: [...looks, formatCall(transaction), ...looks],
	};
	const payload = { blockStateCalls: [state], traceTransfers, validation: false };
	const answer = await reader.call('eth_simulateV1', [payload, block]);
	const results = parseResults(answer, state.calls.length);
	return {
		outcome: await parseOutcome(results[reads.length]),
		pairs: reads.map((_, at) => ({
			before: getReturned(results[at]),
			after: getReturned(results[reads.length + 1 + at]),
		})),
	};
}

function parseResults(answer: unknown, count: number): readonly JsonObject[] {
	const [first, ...others] = Array.isArray(answer) ? (answer as unknown[]) : [];
	const calls = isRecord(first) ? first.calls : undefined;
	return others.length === 0 &&
		Array.isArray(calls) &&
		calls.length === count &&
		calls.every(isRecord)
		? calls
		: raise(invalidResponseError('a simulated block with each call', answer));
}

function isSuccess({ status }: JsonObject): boolean {
	const code = quantityToNumber(status);
	return code === 0 || code === 1
		? code === 1
		: raise(invalidResponseError('the status of a simulated call', status));
}

function getReturned(result: JsonObject | undefined): string | undefined {
	const { status, returnData } = result ?? {};
	return quantityToNumber(status) === 1 && typeof returnData === 'string' ? returnData : undefined;
}

async function parseOutcome(result: JsonObject = {}): Promise<Outcome> {
	const { gasUsed, logs: given, returnData } = result;
	if (!isSuccess(result)) {
		const error = isRecord(result.error) ? result.error : {};
		const data = [error.data, returnData].find((one) => typeof one === 'string' && one !== '0x');
		return buildFailedOutcome(formatRevertReason(data, error.message), gasUsed);
	}
	const [logs, coins]: [SimulatedLog[], CoinMove[]] = [[], []];
	const pauses = new Pauses();
	for (const one of parseLogs(given)) {
		const log = parseLog(one);
		const move = isCoinLog(log) ? decodeCoinLog(log) : undefined;
		if (move) coins.push(move);
		else if (!isCoinLog(log)) logs.push(log);
		await pauses.takeIfDue();
	}
	return { success: true, revertReason: null, gasUsed: quantityToNumber(gasUsed), logs, coins };
}

function parseLogs(logs: unknown): readonly unknown[] {
	return Array.isArray(logs)
		? (logs as unknown[])
		: raise(invalidResponseError('a list of logs', logs));
}
