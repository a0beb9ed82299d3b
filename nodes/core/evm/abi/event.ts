import { formatNames } from '../../values/excerpt';
import { keccak256 } from '../../values/keccak';
import { catching, isBlank, isRecord, parseField, InvalidValue } from '../../values/parse';
import { createValuesBudget, type Budget } from '../../values/budget';
import { buildNamedValues, parseIfJson } from '../../values/namedValues';
import { decodeParameters, type AbiParameter } from './composed';
import { createAbiData, DecodingError, WORD_BYTES } from './data';
import type { AbiEvent } from './entry';
import { raise } from '../../errors/raise';

interface DecodedLog {
	/** The name of the event; null if no event of the ABI fits the log. */
	readonly event: string | null;
	/** The decoded values; null if the log does not decode. */
	readonly args: Readonly<Record<string, unknown>> | null;
}

interface Log {
	readonly topics?: unknown;
	readonly data?: unknown;
}

export function decodeEventLog(events: readonly AbiEvent[], { topics, data }: Log): DecodedLog {
	const given: readonly unknown[] = Array.isArray(topics) ? topics : [];
	const [first] = given;
	const topic = typeof first === 'string' ? first.toLowerCase() : undefined;
	const named = events.filter((one) => !one.isAnonymous && one.topic === topic);
	let event: string | null = null;
	// A log of an anonymous event may look like a log of any other event, so the other events are tried first.
	for (const candidate of [...named, ...events.filter(({ isAnonymous }) => isAnonymous)]) {
		const args = decodeEventArgs(candidate, candidate.isAnonymous ? given : given.slice(1), data);
		if (args) return { event: candidate.name, args };
		event ??= candidate.name;
	}
	return { event, args: null };
}

function decodeEventArgs(event: AbiEvent, topics: readonly unknown[], data: unknown) {
	if (topics.length !== event.indexed.length) return undefined;
	const args = catching(DecodingError, () => {
		const indexed = event.indexed.map((one, index) => decodeTopic(one, topics[index]));
		return mergeInDeclaredOrder(
			event,
			indexed,
			decodeParameters(event.nonIndexed, createAbiData(data), 0),
		);
	});
	return args instanceof DecodingError ? undefined : args;
}

/** Decodes an indexed argument. For a dynamic type, the topic holds only a hash, which is returned as it is. */
function decodeTopic({ type }: AbiParameter, topic: unknown): unknown {
	const data = createAbiData(topic);
	if (data.bytes.length !== WORD_BYTES) throw new DecodingError('a topic is not one word');
	return type.pack ? topic : type.decode(data, 0);
}

function mergeInDeclaredOrder(
	event: AbiEvent,
	indexed: readonly unknown[],
	inData: readonly unknown[],
) {
	let [nextIndexed, nextInData] = [0, 0];
	return buildNamedValues(
		event.inputs,
		event.inputs.map(({ isIndexed }) =>
			isIndexed ? indexed[nextIndexed++] : inData[nextInData++],
		),
	);
}

/** The condition of a filter on one topic: null lets any value through, and a list lets each of its values through. */
export type Topic = string | null | ReadonlyArray<string | null>;

/** Whether a filter lets these topics through. They are 0x-hex in upper or lower case. */
export function matchesTopics(there: readonly unknown[], filter: readonly Topic[]): boolean {
	if (filter.length > there.length) return false;
	return filter.every((topic, position) => {
		const values = getTopicValues(topic);
		const value = String(there[position]).toLowerCase();
		return values.length === 0 || values.some((one) => one.toLowerCase() === value);
	});
}

/** Lists the values that a topic lets through. An empty list lets all values through. */
export function getTopicValues(topic: Topic): readonly string[] {
	if (topic === null) return [];
	if (typeof topic === 'string') return [topic];
	return topic.every((one) => one !== null) ? topic : [];
}

type Conditions = Readonly<Record<string, unknown>>;

/** Encodes the topics for eth_getLogs. `where` has the wanted values of indexed arguments, by name. */
export function encodeEventTopics(
	events: readonly AbiEvent[],
	where: unknown,
	label = 'Where',
): readonly Topic[] {
	const positions = parseField(label, where, (given) => positionsOf(events, given, label));
	const topics = events.some(({ isAnonymous }) => isAnonymous)
		? positions
		: [unwrapSingle([...new Set(events.map(({ topic }) => topic))]), ...positions];
	// A null at the end would exclude logs that have fewer topics than the filter, so it is removed.
	while (topics.at(-1) === null) topics.pop();
	return topics;
}

function positionsOf(events: readonly AbiEvent[], given: unknown, label: string): Topic[] {
	const conditions = parseConditions(events, given);
	const indexed = events.length === 1 ? (events[0]?.indexed ?? []) : [];
	const budget = createValuesBudget();
	return indexed.map((one) =>
		encodeTopicFilter(one, conditions[one.key], `${label} > ${one.key}`, budget),
	);
}

function parseConditions(events: readonly AbiEvent[], given: unknown): Conditions {
	const where = isBlank(given) ? {} : parseIfJson(given);
	if (!isRecord(where)) throw new InvalidValue('a JSON object');
	const [name] = Object.keys(where);
	if (name === undefined) return where;
	if (events.length > 1) {
		throw new InvalidValue(`empty when several events are given (${formatEventNames(events)})`);
	}
	const keys = events.flatMap((event) => event.indexed.map(({ key }) => key));
	const foreign = Object.keys(where).find((key) => !keys.includes(key));
	if (foreign === undefined) return where;
	return keys.length === 0
		? raise(
				new InvalidValue(
					`empty: only indexed arguments can be searched, and there are none in ${formatEventNames(events)}`,
				),
			)
		: raise(
				new InvalidValue(
					`an object of indexed arguments (${formatNames(keys)}); '${foreign}' is not one of them`,
				),
			);
}

function formatEventNames(events: readonly AbiEvent[]): string {
	return events.map(({ name }) => name).join(', ');
}

/** Encodes the condition on one argument. A list means alternatives, even if the argument is itself a list. */
function encodeTopicFilter(
	{ type }: AbiParameter,
	given: unknown,
	label: string,
	budget: Budget,
): Topic {
	if (given === undefined || given === null) return null;
	if (!Array.isArray(given)) return encodeTopic(type, given, label, budget);
	if (given.length > MAX_ALTERNATIVES) return parseField(label, given, tooMany);
	const values = given.map((one: unknown, index) =>
		encodeTopic(type, one, `${label}[${index}]`, budget),
	);
	return values.length > 0 ? unwrapSingle(values) : parseField(label, given, throwNoAlternatives);
}

/** Refuses an empty list of alternatives. No log matches an empty list, but nodes would return all logs. */
function throwNoAlternatives(): never {
	throw new InvalidValue('a value, or a list of at least one value');
}

/** Some nodes take a thousand. */
const MAX_ALTERNATIVES = 10_000;

function tooMany(): never {
	throw new InvalidValue(`a value, or a list of at most ${MAX_ALTERNATIVES} values`);
}

function unwrapSingle(topics: readonly string[]): Topic {
	return topics.length === 1 ? (topics[0] ?? null) : topics;
}

function encodeTopic(
	{ pack, encode }: AbiParameter['type'],
	given: unknown,
	label: string,
	budget: Budget,
): string {
	if (!pack) return `0x${encode(given, label, budget)}`;
	return `0x${keccak256(Buffer.from(pack(given, label, budget), 'hex')).toString('hex')}`;
}
