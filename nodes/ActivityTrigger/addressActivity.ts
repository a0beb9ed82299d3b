import type { WatchedAccounts } from '../core/accountKey/watchedAccounts';
import { NodeLagging } from '../core/errors/nodeLagging';
import { readHeader, type Header } from '../core/evm/blocks';
import { quantityToIsoDate, formatTrace, textOrNull } from '../core/evm/chainObjects';
import {
	getBlockNumber,
	isReverted,
	getTracePath,
	readTransactionTraces,
	getTransactionHash,
	findTransactionsToCheck,
} from '../core/evm/traces';
import type { ChainEvent } from '../core/chain/cursor';
import { COINS, createKeyMaker, formatPayment } from '../core/chain/payment';
import { readCanonicalHeaders } from '../core/evm/follow/views';
import type { Field } from '../core/operation/field';
import { showWhile, simplify } from '../core/operation/sharedFields';
import type { RpcCaller } from '../core/chain/reader';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { parseEvmAddress } from '../core/evm/address';
import { listParser, type JsonObject } from '../core/values/json';
import { type Parse, InvalidValue } from '../core/values/parse';
import {
	getKeyChoices,
	getWatchedAccounts,
	watch,
	watchedCount,
	watchedFirst,
	watchedKey,
} from '../fields/accountKeyFields';
import type { PollSource } from './pollSource';
import { createTraceSearch } from './traces';
import { raise } from '../core/errors/raise';

const parseAddresses: Parse<string[]> = (given) => {
	const addresses = listParser(parseEvmAddress)(given);
	return addresses.length > 0 ? addresses : raise(new InvalidValue('at least one address'));
};

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The accounts and contracts to watch: comma-separated, or an array',
	parse: parseAddresses,
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether the addresses make the calls and payments (From) or receive them (To)',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From the Addresses', value: 'from' },
		{ name: 'To the Addresses', value: 'to' },
	],
} as const satisfies Field;

export const addressActivity = triggerEvent({
	name: 'Address Activity',
	action: 'On activity of address (wallet, deposit)',
	description:
		'Starts the workflow when a watched address calls, is called, pays or is paid. Contracts that do so inside a transaction count as well.',
	fields: [
		watch,
		watchedKey,
		watchedCount,
		watchedFirst,
		...showWhile({ watch: ['addresses'] }, [addresses, direction]),
		simplify,
	],
	getAccounts: (p) => getWatchedAccounts(p, MAX_TRACED_ADDRESSES),
	getChoices: (p) =>
		p.watch === 'accountKey'
			? ['addressActivity', ...getKeyChoices(p)]
			: ['addressActivity', p.direction ?? direction.default, p.addresses ?? []],
	createView: (
		p,
		{ blocks, traces: tracer, includeReverted: isIncluded, least }: PollSource,
		watched,
	) => {
		// With an account key, the trigger emits only received payments, so it leaves out reverted payments.
		const includeReverted = isIncluded && !watched;
		const createSearch = () =>
			watched
				? createTraceSearch(listAddresses(watched), 'to', { blocks, traces: tracer })
				: createTraceSearch(p.addresses ?? [], p.direction ?? direction.default, {
						blocks,
						traces: tracer,
					});
		// The addresses of the account key are derived at the first search and not earlier, because deriving them takes time.
		let made: ReturnType<typeof createSearch> | undefined;
		const search: ReturnType<typeof createSearch> = async (range, head) =>
			await (made ??= createSearch())(range, head);
		return {
			emitsRemovals: true,
			readBlockRef: async (number) => await readHeader(blocks, number),
			readEvents: async (range, head) => {
				const traces = await search(range, head);
				const places = traces.map((trace) => ({
					number: getBlockNumber(trace),
					hash: getBlockHash(trace),
				}));
				const [headers, reverted] = await Promise.all([
					readCanonicalHeaders(blocks, places),
					findReverted(traces, tracer),
				]);
				const format = createItemFormatter(p.simplify, includeReverted);
				return traces
					.map((trace) => {
						const block = headers.get(getBlockNumber(trace)) as Header;
						return { trace, block, json: format(trace, block, reverted.has(trace)) };
					})
					.filter(({ trace }) => includeReverted || !reverted.has(trace))
					.filter(({ trace }) => least.isReached(getValue(trace), COINS.evm))
					.flatMap(({ trace, block, json }): ChainEvent[] => {
						if (!watched) return [{ block, json }];
						const depositIndex = findReceiver(trace, watched);
						const isReceipt = depositIndex !== undefined && getValue(trace) > 0n;
						return isReceipt ? [{ block, json: { ...json, depositIndex } }] : [];
					});
			},
		};
	},
});

/** This is the highest number of addresses in one search, because every search names all of them to the node. */
const MAX_TRACED_ADDRESSES = 1000;

function listAddresses(accounts: WatchedAccounts): string[] {
	return accounts.list().map((account) => `0x${account}`);
}

function findReceiver(trace: JsonObject, accounts: WatchedAccounts): number | undefined {
	const receiver = textOrNull(formatTrace(trace).to)?.toLowerCase() ?? '';
	return accounts.findIndex(receiver.slice(2));
}

/** Equal traces get different keys by their order. So traces that a filter leaves out later must get a key, too. */
function createItemFormatter(isSimple: boolean, includesReverted: boolean) {
	const makeKey = createKeyMaker();
	return (trace: JsonObject, { hash, json }: Header, reverted: boolean): JsonObject => {
		const { from, to } = formatTrace(trace);
		const payment = {
			chain: 'evm' as const,
			key: makeKey({
				block: hash,
				// A block reward belongs to no transaction, so it has the hash of its block.
				transactionHash: getTransactionHash(trace) || hash,
				says: ['trace', getTracePath(trace) ?? trace.action],
			}),
			transactionHash: textOrNull(trace.transactionHash),
			timestamp: quantityToIsoDate(json.timestamp),
			from: textOrNull(from),
			to: textOrNull(to),
			token: null,
			facts: COINS.evm,
			value: getValue(trace),
			comment: null,
		};
		return formatPayment(payment, {
			...(isSimple ? formatTrace(trace) : trace),
			...(includesReverted && { reverted }),
		});
	};
}

/** Gives the amount that a trace moves, in wei: 0 if the trace has no readable value. */
function getValue(trace: JsonObject): bigint {
	const { value } = formatTrace(trace);
	return typeof value === 'string' ? BigInt(value) : 0n;
}

/**
 * Finds the traces that were reverted. A nested call is also reverted if a call above it failed, which only the
 * complete list of the transaction's traces shows.
 */
async function findReverted(
	traces: readonly JsonObject[],
	reader: RpcCaller,
): Promise<ReadonlySet<JsonObject>> {
	const hashes = findTransactionsToCheck(traces);
	const all = await Promise.all(hashes.map(async (hash) => await readTraceOutcome(hash, reader)));
	const outcomes = new Map(all.map((one, index) => [hashes[index], one]));
	const missing = traces.find((trace) => {
		const outcome = outcomes.get(getTransactionHash(trace));
		return outcome && !outcome.paths.has(formatTracePath(trace));
	});
	if (missing) throw new NodeLagging(getBlockNumber(missing), 'with all its traces');
	const failures = (trace: JsonObject) => outcomes.get(getTransactionHash(trace))?.failures;
	return new Set(traces.filter((trace) => isReverted(trace, failures(trace))));
}

/** Reads the paths of all traces of a transaction, and the traces that failed. */
async function readTraceOutcome(hash: string, reader: RpcCaller) {
	const traces = await readTransactionTraces(reader, hash);
	return {
		paths: new Set(traces.map(formatTracePath)),
		failures: traces.filter(({ error }) => Boolean(error)),
	};
}

function formatTracePath(trace: JsonObject): string {
	return String(getTracePath(trace));
}

/** Gives the hash of the trace's block, or undefined, because some nodes leave it out. */
function getBlockHash({ blockHash }: JsonObject): string | undefined {
	return typeof blockHash === 'string' && blockHash !== '' ? blockHash.toLowerCase() : undefined;
}
