import { isRecord } from '../../values/parseJson';
import { isBlank, readAs, unfit } from '../../values/read';
import { keccak256 } from '../../values/digests/keccak';
import type { AbiEvent } from './declared/entry';
import type { Parameter } from './types/parameter';
import { fromJson } from './types/parts';

/** One position of a filter: null for every topic, this one, or one of these. */
export type Topic = string | null | ReadonlyArray<string | null>;

type Conditions = Readonly<Record<string, unknown>>;

/** The topics that eth_getLogs takes, for logs of these events whose indexed arguments have these values. */
export function eventTopics(
	events: readonly AbiEvent[],
	where: unknown,
	label = 'Where',
): readonly Topic[] {
	const conditions = readAs(label, where, (given) => conditionsOf(events, given));
	const indexed = events.length === 1 ? (events[0]?.indexed ?? []) : [];
	const positions = indexed.map((one) =>
		topicAt(one, conditions[one.key], `${label} > ${one.key}`),
	);
	const topics = events.some(({ isAnonymous }) => isAnonymous)
		? positions
		: [oneOrMore([...new Set(events.map(({ topic }) => topic))]), ...positions];
	// To a node, null in the last place says that the log must have so many topics.
	while (topics.at(-1) === null) topics.pop();
	return topics;
}

function conditionsOf(events: readonly AbiEvent[], given: unknown): Conditions {
	const where = isBlank(given) ? {} : fromJson(given);
	if (!isRecord(where)) return unfit('a JSON object');
	const [name] = Object.keys(where);
	if (name === undefined) return where;
	if (events.length > 1) {
		return unfit(`empty when several events are given (${namesOf(events)})`);
	}
	const keys = events.flatMap((event) => event.indexed.map(({ key }) => key));
	const foreign = Object.keys(where).find((key) => !keys.includes(key));
	if (foreign === undefined) return where;
	return keys.length === 0
		? unfit(`empty: no argument of ${namesOf(events)} is indexed`)
		: unfit(`an object of indexed arguments (${keys.join(', ')}); '${foreign}' is not one of them`);
}

function namesOf(events: readonly AbiEvent[]): string {
	return events.map(({ name }) => name).join(', ');
}

/** A list holds alternatives, even where an alternative is a list itself. */
function topicAt({ type }: Parameter, given: unknown, label: string): Topic {
	if (given === undefined || given === null) return null;
	if (!Array.isArray(given)) return topicOf(type, given, label);
	const values = given.map((one: unknown, index) => topicOf(type, one, `${label}[${index}]`));
	return values.length > 0 ? oneOrMore(values) : readAs(label, given, nothing);
}

/** Nodes take an empty list for any topic, which is not what it says. */
function nothing(): never {
	return unfit('a value, or a list of at least one');
}

function oneOrMore(topics: readonly string[]): Topic {
	return topics.length === 1 ? (topics[0] ?? null) : topics;
}

function topicOf({ pack, write }: Parameter['type'], given: unknown, label: string): string {
	if (!pack) return `0x${write(given, label)}`;
	return `0x${keccak256(Buffer.from(pack(given, label), 'hex')).toString('hex')}`;
}
