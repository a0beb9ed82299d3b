import type { JsonObject } from '../values/json';
import { InvalidInput } from '../errors/invalidInput';
import type { Abi } from './abi/abi';
import { decodeEventLog, encodeEventTopics, matchesTopics, type Topic } from './abi/event';
import type { RpcCaller } from '../chain/reader';
import { isBlank } from '../values/parse';
import { quantityToDecimal, quantityToNumber, objectListParser, formatLog } from './chainObjects';

/** The logs to find. Without addresses, logs of any contract match; without topics, logs of any event. */
export interface LogFilter {
	readonly addresses: readonly string[];
	readonly topics: readonly Topic[];
}

/** Builds the filter in the form of the method eth_getLogs. */
export function buildFilterParams({ addresses, topics }: LogFilter): object {
	return {
		...(addresses.length > 0 && { address: addresses }),
		...(topics.length > 0 && { topics }),
	};
}

/** Whether a log matches a filter. It is checked here, because some nodes ignore parts of a filter. */
export function matchesFilter(
	{ address, topics }: JsonObject,
	{ addresses, topics: wanted }: LogFilter,
): boolean {
	const there = Array.isArray(topics) ? (topics as unknown[]) : [];
	return matchesTopics([address, ...there], [addresses, ...wanted]);
}

const parseLogList = objectListParser('a list of logs');

/** Reads the logs that match any of the filters, each once, in the order of the chain. */
export async function searchLogs(
	reader: RpcCaller,
	filters: readonly LogFilter[],
	where: object,
): Promise<readonly JsonObject[]> {
	const searches = filters.map((filter) => ({ ...buildFilterParams(filter), ...where }));
	const lists = await Promise.all(searches.map(async (one) => await readLogs(reader, one)));
	return sortDistinctLogs(lists.flat());
}

/** Reads the logs that match a filter, without logs that the node calls removed. */
export async function readLogs(reader: RpcCaller, filter: object): Promise<readonly JsonObject[]> {
	return parseLogs(await reader.call('eth_getLogs', [filter]));
}

/** Parses the answer of eth_getLogs, without logs that the node calls removed. */
export function parseLogs(answer: unknown): readonly JsonObject[] {
	return parseLogList(answer).filter(({ removed }) => removed !== true);
}

/** Removes duplicates and sorts logs. If a node returns a log twice with different details, the last version counts. */
export function sortDistinctLogs(logs: readonly JsonObject[]): readonly JsonObject[] {
	const distinct = new Map(logs.map((log, at) => [getLogId(log, at), log]));
	const placed = [...distinct.values()].map((log) => ({ log, place: getLogOrder(log) }));
	const isOrdered = placed.every(
		({ place }, at) => compareOrder(placed[at - 1]?.place ?? [], place) <= 0,
	);
	return (isOrdered ? placed : placed.sort((a, b) => compareOrder(a.place, b.place))).map(
		({ log }) => log,
	);
}

/**
 * Returns a key that identifies a log. The key contains the transaction's hash, because on some chains the index of a
 * log counts within its transaction.
 */
function getLogId(log: JsonObject, at: number): unknown {
	const { blockHash, transactionHash, transactionIndex, logIndex } = log;
	if (isBlank(logIndex)) return at;
	const transaction = transactionHash ?? quantityToDecimal(transactionIndex);
	const names = [blockHash, transaction].map((name) => String(name).toLowerCase());
	return [...names, quantityToDecimal(logIndex) ?? logIndex].join(' ');
}

function getLogOrder({ blockNumber, transactionIndex, logIndex }: JsonObject): number[] {
	return [blockNumber, transactionIndex ?? '0x0', logIndex].map((one) =>
		Number(quantityToNumber(one) ?? Infinity),
	);
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
	const at = a.findIndex((number, index) => number !== b[index]);
	return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

/** The logs that the user wants: an event with conditions, or topics. */
export interface EventChoice {
	readonly event: Abi | undefined;
	readonly where: Readonly<Record<string, unknown>>;
	readonly topics: readonly Topic[];
}

/** Builds the topics of a filter. Errors name the field of the event by `label`. */
export function buildTopics(
	{ event, where, topics }: EventChoice,
	label: string,
): readonly Topic[] {
	if (event && topics.length > 0) {
		throw new InvalidInput(`'Topics' must be empty when '${label}' is given: both filter by topic`);
	}
	if (!event && Object.keys(where).length > 0) {
		throw new InvalidInput(
			`'Where' needs an event in '${label}': 'Where' filters by the arguments of the event`,
		);
	}
	return event ? encodeEventTopics(event.events, where) : topics;
}

/** Formats a log for the user, with the decoded values if its event is known. */
export function formatDecodedLog(
	{ event }: Pick<EventChoice, 'event'>,
	log: JsonObject,
): JsonObject {
	return { ...formatLog(log), ...(event && decodeEventLog(event.events, log)) };
}
