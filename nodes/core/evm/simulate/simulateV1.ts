import type { RpcReader } from '../../chain/reader';
import { invalidResponseError } from '../../net/responses/response';
import { Pauses } from '../../net/pacing/slices';
import type { JsonObject } from '../../values/json';
import { isRecord } from '../../values/parse';
import { quantityToNumber } from '../objects';
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
import { buildNonceOverride, formatCall, type SimulatedTransaction } from './transaction';
import { raise } from '../../errors/raise';

/** A call that reads something before the transaction and after it. */
export interface SimulatedRead {
	readonly to: string;
	readonly data: string;
}

/** What a read gave; undefined where the contract failed. */
export interface ReadPair {
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/** A token that never returns ends soon: the gas of all calls together is limited. */
const READ_GAS = '0x7a120';

interface SimulationTerms {
	readonly block: string;
	/** Whether transfers of coins are wanted among the logs. Some nodes leave out other logs then. */
	readonly traceTransfers: boolean;
	readonly reads: readonly SimulatedRead[];
	/** Code that is put at addresses for the time of the simulation. */
	readonly overrides?: JsonObject;
}

/** Simulates a transaction in one block with what is read before and after it. */
export async function callSimulateV1(
	chain: RpcReader,
	transaction: SimulatedTransaction,
	{ block, traceTransfers, reads, overrides }: SimulationTerms,
): Promise<{ readonly outcome: Outcome; readonly pairs: readonly ReadPair[] }> {
	const looks = reads.map((read) => ({ ...read, gas: READ_GAS }));
	// A simulated transaction pays no fee, so that balances of coins differ only by the coins moved.
	const call = formatCall(transaction, reads.length === 0);
	const stateOverrides = { ...overrides, ...buildNonceOverride(transaction) };
	const state = {
		...(Object.keys(stateOverrides).length > 0 && { stateOverrides }),
		calls: [...looks, call, ...looks],
	};
	const payload = { blockStateCalls: [state], traceTransfers, validation: false };
	const answer = await chain.call('eth_simulateV1', [payload, block]);
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
