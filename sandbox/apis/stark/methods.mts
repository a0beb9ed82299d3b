import { type FindMethod, type Method, RpcFailure, tuple } from '../../jsonRpc/calls.mts';
import { drawLag, type LagState } from '../evm/lag.mts';
import type { AnswerName } from './answers.mts';
import { PRIME } from './machine/felts.mts';
import * as requests from './requests.mts';
import { loadRollup, type StarkState } from './settings.mts';
import { inventSimulation, type SimulationParams } from './simulation.mts';
import type { Version } from './versions.mts';
import type { View } from './views.mts';

type State = StarkState & LagState;

type Params = Readonly<Record<string, object>>;

/** Lists the parameters of each method. Their names are in the order of their positions. */
function listParams(version: Version): Record<AnswerName, Params> {
	const block = { block_id: requests.buildBlockSchema(version) };
	const contract = { ...block, contract_address: requests.felt };
	const transaction = { transaction_hash: requests.felt };
	return {
		specVersion: {},
		chainId: {},
		blockNumber: {},
		blockHashAndNumber: {},
		syncing: {},
		getBlockWithTxHashes: block,
		getBlockWithTxs: block,
		getBlockWithReceipts: block,
		getBlockTransactionCount: block,
		getStateUpdate: block,
		getClass: { ...block, class_hash: requests.felt },
		getClassAt: contract,
		getClassHashAt: contract,
		getNonce: contract,
		call: { request: requests.callRequest, ...block },
		getEvents: { filter: requests.buildFilterSchema(version) },
		getTransactionByHash: transaction,
		getTransactionByBlockIdAndIndex: { ...block, index: requests.wholeNumber },
		getTransactionReceipt: transaction,
		getTransactionStatus: transaction,
		traceTransaction: transaction,
		estimateFee: {
			request: requests.buildTransactionsSchema(version),
			simulation_flags: requests.estimateFlags,
			...block,
		},
		simulateTransactions: {
			...block,
			transactions: requests.buildTransactionsSchema(version),
			simulation_flags: requests.buildSimulationFlags(version),
		},
		addInvokeTransaction: { invoke_transaction: requests.buildTransactionSchema(version) },
	};
}

const paramsByVersion = new Map<Version, Record<string, { names: string[]; params: object }>>();

/**
 * Returns the schemas of the parameters for a version. They are made once for each version, so that they are compiled
 * only once.
 */
function getParams(version: Version) {
	const known = paramsByVersion.get(version);
	if (known) return known;
	const made = Object.fromEntries(
		Object.entries(listParams(version)).map(([name, params]) => [
			name,
			{ names: Object.keys(params), params: buildTuple(Object.values(params)) },
		]),
	);
	paramsByVersion.set(version, made);
	return made;
}

const anySimulationByVersion = new Map<Version, object>();

function getAnySimulationParams(version: Version): object {
	const known = anySimulationByVersion.get(version) ?? requests.buildAnySimulationParams(version);
	anySimulationByVersion.set(version, known);
	return known;
}

const buildTuple = (items: object[]) => (items.length > 0 ? tuple(...items) : requests.noParams);

/** The prefix of a method is `l2` in the provider's document and `starknet` on live nodes. */
const NAME_PATTERN = /^(?:l2|starknet)_(\w+)$/;

/** Finds the methods of the STARK rollup in the version that is set. */
export const createStarkMethods =
	(state: State): FindMethod =>
	(name) => {
		const [, short = ''] = NAME_PATTERN.exec(name) ?? [];
		const methods = getParams(state.stark.settings.version);
		const method = Object.hasOwn(methods, short) ? methods[short] : undefined;
		if (!method) return undefined;
		if (short === 'simulateTransactions') return createSimulation(method, state);
		const { names, params } = method;
		return {
			names,
			params,
			answer: async (call) => await answerCall(short as AnswerName, call.params, state),
		};
	};

/**
 * Creates the simulation method. It really simulates transactions of accounts that the chain has, and invents results
 * for others.
 */
function createSimulation(strict: { names: string[]; params: object }, state: State): Method {
	return {
		names: strict.names,
		documentedAt: [''],
		params: async (params) =>
			(await isOfRollup(params, state))
				? strict.params
				: getAnySimulationParams(state.stark.settings.version),
		answer: async ({ params }) => {
			if (!(await isOfRollup(params, state))) return inventSimulation(params as SimulationParams);
			return await answerCall('simulateTransactions', params, state);
		},
	};
}

async function isOfRollup([, transactions]: unknown[], state: State): Promise<boolean> {
	if (!Array.isArray(transactions)) return false;
	const { accounts } = await loadRollup(state);
	const known = new Set(accounts.map(({ address }) => address));
	return transactions.some((one: { sender_address?: unknown } | null) => {
		const sender = one?.sender_address;
		return typeof sender === 'string' && /^0x[0-9a-f]+$/i.test(sender) && known.has(BigInt(sender));
	});
}

async function answerCall(name: AnswerName, params: unknown[], state: State) {
	throwIfBeyondPrime(params);
	const { settings } = state.stark;
	const [rollup, { answer }] = await Promise.all([loadRollup(state), import('./answers.mts')]);
	const last = rollup.blocks.length - 1;
	const head = Math.max(0, last - drawLag(state.lag.settings.backends, state));
	const indexed = name === 'getEvents' ? head - drawLag(state.lag.settings.logs, state) : head;
	const view: View = { rollup, settings, head, indexed };
	const result = answer(name, view, params);
	return settings.padded ? padFelts(result) : result;
}

/** Refuses a number that is too large for a felt, instead of reducing it to a felt. */
function throwIfBeyondPrime(value: unknown): void {
	if (typeof value === 'string') {
		if (!/^0x[0-9a-f]{63}$/i.test(value) || BigInt(value) < PRIME) return;
		throw new RpcFailure(-32602, `a felt is below the prime, got ${value}`);
	}
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(throwIfBeyondPrime);
}

const FELT_DIGITS = 64;

function padFelts(value: unknown): unknown {
	if (typeof value === 'string') {
		return /^0x[0-9a-f]+$/.test(value) ? `0x${value.slice(2).padStart(FELT_DIGITS, '0')}` : value;
	}
	if (Array.isArray(value)) return value.map(padFelts);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, padFelts(one)]));
}
