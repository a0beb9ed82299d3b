import { keccak256 } from '../values/keccak';
import { attempt, isBlank, isRecord, mustBe, readAs } from '../values/read';
import { valuesBudget, type Budget } from './budget';
import { byKey, fromJson, decodeParameters, type Parameter } from './composed';
import { chainData, DecodingError, WORD } from './data';
import type { AbiEvent } from './entry';

interface DecodedLog {
	/** Null for a log of none of the events. */
	readonly event: string | null;
	/** Null for a log that does not decode. */
	readonly args: Readonly<Record<string, unknown>> | null;
}

interface Log {
	readonly topics?: unknown;
	readonly data?: unknown;
}

export function decodeLog(events: readonly AbiEvent[], { topics, data }: Log): DecodedLog {
	const given: readonly unknown[] = Array.isArray(topics) ? topics : [];
	const [first] = given;
	const topic = typeof first === 'string' ? first.toLowerCase() : undefined;
	const named = events.filter((one) => !one.isAnonymous && one.topic === topic);
	let event: string | null = null;
	// The logs of an anonymous event may look like any other's.
	for (const candidate of [...named, ...events.filter(({ isAnonymous }) => isAnonymous)]) {
		const args = argsOf(candidate, candidate.isAnonymous ? given : given.slice(1), data);
		if (args) return { event: candidate.name, args };
		event ??= candidate.name;
	}
	return { event, args: null };
}

function argsOf(event: AbiEvent, topics: readonly unknown[], data: unknown) {
	if (topics.length !== event.indexed.length) return undefined;
	const args = attempt(DecodingError, () => {
		const indexed = event.indexed.map((one, index) => topicValue(one, topics[index]));
		return inDeclaredOrder(event, indexed, decodeParameters(event.inData, chainData(data), 0));
	});
	return args instanceof DecodingError ? undefined : args;
}

/** Of a dynamic type only the hash is known. */
function topicValue({ type }: Parameter, topic: unknown): unknown {
	const data = chainData(topic);
	if (data.bytes.length !== WORD) throw new DecodingError('a topic is not one word');
	return type.pack ? topic : type.decode(data, 0);
}

function inDeclaredOrder(event: AbiEvent, indexed: readonly unknown[], inData: readonly unknown[]) {
	let [nextIndexed, nextInData] = [0, 0];
	return byKey(
		event.inputs,
		event.inputs.map(({ isIndexed }) =>
			isIndexed ? indexed[nextIndexed++] : inData[nextInData++],
		),
	);
}

/** One position of a filter: null matches any, a list one of several. */
export type Topic = string | null | ReadonlyArray<string | null>;

type Conditions = Readonly<Record<string, unknown>>;

/** The topics for eth_getLogs; `where` gives values of indexed arguments. */
export function eventTopics(
	events: readonly AbiEvent[],
	where: unknown,
	label = 'Where',
): readonly Topic[] {
	const positions = readAs(label, where, (given) => positionsOf(events, given, label));
	const topics = events.some(({ isAnonymous }) => isAnonymous)
		? positions
		: [oneOrMore([...new Set(events.map(({ topic }) => topic))]), ...positions];
	// With a null in the last place, a node wants logs to have as many topics.
	while (topics.at(-1) === null) topics.pop();
	return topics;
}

function positionsOf(events: readonly AbiEvent[], given: unknown, label: string): Topic[] {
	const conditions = conditionsOf(events, given);
	const indexed = events.length === 1 ? (events[0]?.indexed ?? []) : [];
	const budget = valuesBudget();
	return indexed.map((one) => topicAt(one, conditions[one.key], `${label} > ${one.key}`, budget));
}

function conditionsOf(events: readonly AbiEvent[], given: unknown): Conditions {
	const where = isBlank(given) ? {} : fromJson(given);
	if (!isRecord(where)) return mustBe('a JSON object');
	const [name] = Object.keys(where);
	if (name === undefined) return where;
	if (events.length > 1) {
		return mustBe(`empty when several events are given (${namesOf(events)})`);
	}
	const keys = events.flatMap((event) => event.indexed.map(({ key }) => key));
	const foreign = Object.keys(where).find((key) => !keys.includes(key));
	if (foreign === undefined) return where;
	return keys.length === 0
		? mustBe(`empty: no argument of ${namesOf(events)} is indexed`)
		: mustBe(
				`an object of indexed arguments (${keys.join(', ')}); '${foreign}' is not one of them`,
			);
}

function namesOf(events: readonly AbiEvent[]): string {
	return events.map(({ name }) => name).join(', ');
}

/** A list holds alternatives, even for a type that is a list. */
function topicAt({ type }: Parameter, given: unknown, label: string, budget: Budget): Topic {
	if (given === undefined || given === null) return null;
	if (!Array.isArray(given)) return topicOf(type, given, label, budget);
	if (given.length > MAX_ALTERNATIVES) return readAs(label, given, tooMany);
	const values = given.map((one: unknown, index) =>
		topicOf(type, one, `${label}[${index}]`, budget),
	);
	return values.length > 0 ? oneOrMore(values) : readAs(label, given, nothing);
}

/** To nodes, an empty list matches any topic. */
function nothing(): never {
	return mustBe('a value, or a list of at least one');
}

/** Some nodes take a thousand. */
const MAX_ALTERNATIVES = 10_000;

function tooMany(): never {
	return mustBe(`a value, or a list of at most ${MAX_ALTERNATIVES}`);
}

function oneOrMore(topics: readonly string[]): Topic {
	return topics.length === 1 ? (topics[0] ?? null) : topics;
}

function topicOf(
	{ pack, encode }: Parameter['type'],
	given: unknown,
	label: string,
	budget: Budget,
): string {
	if (!pack) return `0x${encode(given, label, budget)}`;
	return `0x${keccak256(Buffer.from(pack(given, label, budget), 'hex')).toString('hex')}`;
}
