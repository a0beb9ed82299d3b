import { catching, InvalidValue, isRecord } from '../values/parse';
import {
	buildFunction,
	decodeCalldata,
	decodeFunctionResult,
	type StarkFunction,
} from './abi/call';
import { DecodingError } from './abi/data';
import { createEventDecoder, type DecodeEvent } from './abi/event';
import { readClass } from './contracts';
import { formatEvent } from './eventItems';
import { feltListParser, formatFelt, tryParseFelt } from './felts';
import type { RpcReader } from '../chain/reader';
import { findRevertReason } from './reverts';
import { computeSelector } from './selectors';
import { formatFee } from './transactions';

type Answer = Readonly<Record<string, unknown>>;

/** No block has room for this many calls. */
const MAX_CALLS = 10_000;

const EXECUTE_SELECTOR = computeSelector('__execute__');

/** Formats the outcome of a simulated transaction, with the names of functions and events. */
export async function formatSimulation(reader: RpcReader, result: Answer) {
	const trace = isRecord(result.transaction_trace) ? result.transaction_trace : {};
	const root = findRoot(trace);
	const invocations = listInvocations(root);
	const namesOf = await readNames(reader, invocations);
	const reason = findRevertReason(root.revert_reason);
	const { overall_fee: amount, unit } = isRecord(result.fee_estimation)
		? result.fee_estimation
		: {};
	const isReverted = root.revert_reason !== undefined || root.is_reverted === true;
	return {
		success: !isReverted,
		revertReason: reason ?? null,
		...formatFee({ amount, unit }),
		calls: getTopCalls(root).map((call) => formatCall(call, namesOf)),
		events: listEvents(invocations, namesOf),
	};
}

/** Finds the outermost call of a trace, whose name depends on the kind of transaction. Returns an empty object if there is none. */
function findRoot(trace: Answer): Answer {
	const { execute_invocation: execute, function_invocation: handled } = trace;
	const found = execute ?? handled ?? trace.constructor_invocation ?? trace.validate_invocation;
	return isRecord(found) ? found : {};
}

function getCalls({ calls }: Answer): Answer[] {
	return Array.isArray(calls) ? calls.filter(isRecord) : [];
}

/** Returns the calls that an account makes for its owner, without the call of the account's own `__execute__`. */
function getTopCalls(root: Answer): Answer[] {
	if (root.contract_address === undefined) return [];
	return tryParseFelt(root.entry_point_selector) === EXECUTE_SELECTOR ? getCalls(root) : [root];
}

function listInvocations(root: Answer): Answer[] {
	const found: Answer[] = [];
	const open = [root];
	for (let next = open.pop(); next && found.length < MAX_CALLS; next = open.pop()) {
		found.push(next);
		for (const call of getCalls(next).reverse()) open.push(call);
	}
	return found;
}

interface ClassNames {
	readonly functions: ReadonlyMap<bigint, StarkFunction>;
	readonly decodeEvent: DecodeEvent;
}

type NamesOf = (invocation: Answer) => ClassNames | undefined;

/**
 * Reads the names of functions and events in each class that runs. A library call runs another class than the
 * contract's own.
 */
async function readNames(reader: RpcReader, invocations: readonly Answer[]): Promise<NamesOf> {
	const hashes = new Set(invocations.flatMap((one) => tryParseFelt(one.class_hash) ?? []));
	const entries = await Promise.all(
		[...hashes].map(async (hash) => [hash, await readClassNames(reader, hash)] as const),
	);
	const known = new Map(entries);
	return ({ class_hash: hash }) => known.get(tryParseFelt(hash) ?? -1n);
}

async function readClassNames(reader: RpcReader, hash: bigint): Promise<ClassNames | undefined> {
	const found = await readClass(reader, hash);
	if (!found || found.abi instanceof InvalidValue) return undefined;
	const { abi } = found;
	const functions = abi.functions.flatMap((declared) => {
		const called = catching(InvalidValue, () => buildFunction(abi, declared));
		return called instanceof InvalidValue ? [] : [[called.selector, called] as const];
	});
	return { functions: new Map(functions), decodeEvent: createEventDecoder(abi, abi.events) };
}

/** Formats a call with decoded values. Values that do not fit the ABI stay felts. */
function formatCall(call: Answer, namesOf: NamesOf): object {
	const selector = tryParseFelt(call.entry_point_selector);
	const called = selector === undefined ? undefined : namesOf(call)?.functions.get(selector);
	const calldata = toFelts(call.calldata);
	const result = toFelts(call.result);
	return {
		contract: formatFelt(tryParseFelt(call.contract_address) ?? 0n),
		function: called?.name ?? (selector === undefined ? null : formatFelt(selector)),
		args: decodeOr(calldata, called && (() => decodeCalldata(called, calldata))),
		result: decodeOr(result, called && (() => decodeFunctionResult(called, result).result)),
		calls: getCalls(call).map((one) => formatCall(one, namesOf)),
	};
}

function decodeOr(felts: readonly bigint[], decode: (() => unknown) | undefined): unknown {
	const decoded = decode && catching(DecodingError, decode);
	return decoded === undefined || decoded instanceof DecodingError
		? felts.map(formatFelt)
		: decoded;
}

const parseFelts = feltListParser('a list of felts in a trace');

function toFelts(given: unknown): bigint[] {
	return parseFelts(given ?? []);
}

/** Lists the events of the whole transaction in their order, each with the contract that emitted it. */
function listEvents(invocations: readonly Answer[], namesOf: NamesOf): object[] {
	const found = invocations.flatMap((invocation) => {
		const events = Array.isArray(invocation.events) ? invocation.events.filter(isRecord) : [];
		const contract = tryParseFelt(invocation.contract_address) ?? 0n;
		const decodeEvent = namesOf(invocation)?.decodeEvent;
		return events.map(({ order, keys, data }) => {
			const event = { contract, keys: toFelts(keys), data: toFelts(data) };
			return { order: Number(order), item: formatEvent(event, (one) => decodeEvent?.(one)) };
		});
	});
	return found.sort((a, b) => a.order - b.order).map(({ item }) => item);
}
